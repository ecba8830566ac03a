/*
 * Letters and digits of other scripts that are drawn as a Latin one, each with what it is drawn as: those of Cyrillic, Greek, Armenian and Latin itself out of
 * Unicode's confusables.txt (UTS #39, version 16) whose shapes are the same in the fonts the console uses. Widths and styled letters (full-width, mathematical) are
 * taken to their plain form by NFKC before this is asked.
 */
const DRAWN_AS: Readonly<Record<string, string>> = {
  a: 'аɑα',
  b: 'Ьƅ',
  c: 'сϲᴄ',
  d: 'ԁ',
  e: 'еҽ',
  f: 'ƒ',
  g: 'ɡց',
  h: 'һհ',
  i: 'іıɩιɪ',
  j: 'јϳ',
  k: 'κᴋк',
  l: 'ӏǀ|1Iוⅼ',
  n: 'ոռ',
  o: 'оοօσᴏ0',
  p: 'рρ',
  q: 'ԛզ',
  r: 'гᴦ',
  s: 'ѕꜱ',
  u: 'υսᴜ',
  v: 'νѵᴠ',
  w: 'ԝѡɯ',
  x: 'хᕁ×',
  y: 'уγүʏ',
  z: 'ᴢ',
  A: 'АΑᎪ',
  B: 'ВΒᏴ',
  C: 'СϹᏟ',
  E: 'ЕΕᎬ',
  F: 'ϜҒ',
  G: 'Ԍ',
  H: 'НΗᎻ',
  J: 'ЈᎫ',
  K: 'КΚᏦ',
  M: 'МΜᎷ',
  N: 'Ν',
  O: 'ОΟՕ',
  P: 'РΡᏢ',
  S: 'ЅՏᏚ',
  T: 'ТΤᎢ',
  U: 'Ս',
  V: 'ѴᏙ',
  W: 'ԜᎳ',
  X: 'ХΧ',
  Y: 'ҮΥ',
  Z: 'ΖᏃ',
}

const PLAIN = new Map(Object.entries(DRAWN_AS).flatMap(([plain, drawn]) => [...drawn].map((letter) => [letter, plain] as const)))
const CAPITAL_I = 'I'

/** What a name looks like: two names with one skeleton are hard to tell apart. `asTyped` takes a capital I for an l, before capitals become small. */
function skeleton(name: string, asTyped: boolean): string {
  const plain = [...name.normalize('NFKC')].map((letter) => (letter === CAPITAL_I && !asTyped ? letter : (PLAIN.get(letter) ?? letter))).join('')
  return [...plain.toLowerCase().normalize('NFKC')]
    .map((letter) => PLAIN.get(letter) ?? letter)
    .join('')
    .toLowerCase()
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .replaceAll(/[\s\-_.·]+/gu, ' ')
}

/** Whether a person takes one name for the other: by the shapes of their letters, their widths, their capitals, their spaces. */
export function looksLikeName(one: string, other: string): boolean {
  return skeleton(one, true) === skeleton(other, true) || skeleton(one, false) === skeleton(other, false)
}
