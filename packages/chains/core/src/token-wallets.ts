/**
 * From what the address of each holder's own wallet of a token follows, on chains where every holder has one (TON): the hash and depth of the wallets' code, and
 * what their data hold besides holder and token. `token` is the token's contract in canonical text.
 */
export type TokenWallets = { token: string; codeHash: string; codeDepth: number; hasStatus: boolean; hasCode: boolean }

/*
 * It goes by one text among what a policy pins, `<token>/<code hash>/<depth>/<flags>`, as an entry of its own beside the token: then nobody's word counts for
 * where an order to pay the token goes. Policies that were made before are the same bytes as ever, and have no such entry.
 */
const FORM = /^([^/]{1,48})\/([0-9a-f]{64})\/(0|[1-9][0-9]{0,3})\/(sc|s|c|-)$/

/** The text by which a policy pins the wallets of a token. */
export function tokenWalletsAsset({ token, codeHash, codeDepth, hasStatus, hasCode }: TokenWallets): string {
  return `${token}/${codeHash}/${codeDepth}/${`${hasStatus ? 's' : ''}${hasCode ? 'c' : ''}` || '-'}`
}

/** What such a text says, or undefined if it pins something else. */
export function readTokenWallets(contract: string | null): TokenWallets | undefined {
  const [, token, codeHash = '', depth, flags = ''] = FORM.exec(contract ?? '') ?? []
  if (token === undefined) return undefined
  return { token, codeHash, codeDepth: Number(depth), hasStatus: flags.includes('s'), hasCode: flags.includes('c') }
}
