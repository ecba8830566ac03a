const COMMON = [
  'password',
  'passwort',
  'passw0rd',
  'letmein',
  'welcome',
  'iloveyou',
  'administrator',
  'admin',
  'qwerty',
  'qwertz',
  'azerty',
  'asdfgh',
  'zxcvbn',
  'monkey',
  'dragon',
  'football',
  'baseball',
  'superman',
  'trustno',
  'holdfast',
  'custody',
  'bitcoin',
  'ethereum',
  'wallet',
  'woaini',
  'mima',
]
const RUNS = ['abcdefghijklmnopqrstuvwxyz', 'zyxwvutsrqponmlkjihgfedcba', '01234567890', '09876543210', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm']
const LENGTH_MIN = 12
const DISTINCT_MIN = 6
/** How much must be left when the guessable parts are taken away. */
const REST_MIN = 6

/** Takes out every stretch of four and more characters that follows a keyboard row, the alphabet or the digits. */
function withoutRuns(text: string): string {
  let rest = text
  for (const run of RUNS) {
    for (let length = run.length; length >= 4; length--) {
      for (let at = 0; at + length <= run.length; at++) rest = rest.replaceAll(run.slice(at, at + length), '')
    }
  }
  return rest
}

/**
 * Why a password is too easy to guess, or undefined if it is good enough. Length and what can be guessed count;
 * kinds of characters do not (NIST SP 800-63B). `personal` are words an attacker knows: the account, the name, the organisation.
 */
export function passwordFault(password: string, personal: readonly string[]): string | undefined {
  if ([...password].length < LENGTH_MIN) return `it has fewer than ${LENGTH_MIN} characters`
  if (new Set(password).size < DISTINCT_MIN) return 'it repeats a few characters'
  const lower = password.toLowerCase()
  const known = personal.flatMap((each) => each.toLowerCase().split(/[^\p{L}\p{N}]+/u)).filter((each) => [...each].length >= 4)
  let rest = lower
  for (const word of [...known, ...COMMON]) rest = rest.replaceAll(word, '')
  rest = withoutRuns(rest).replaceAll(/(.)\1{2,}/gu, '$1')
  return [...rest].length < REST_MIN ? 'it is made of words and rows that are tried first' : undefined
}
