import { inviteIn } from '@holdfast/features/session/invite-link'

const TOKEN = /^#([0-9a-f]{64})$/

/**
 * The founder's token, from the part of the address that a browser never sends to a server. There it survives a reload, and
 * the founder can keep the address to come back.
 */
export function setupTokenOf(hash: string): string | undefined {
  return TOKEN.exec(hash)?.[1]
}

/** The invitation in a member's sign-in link, or undefined if the link has none. */
export function inviteOf(signInUrl: string): string | undefined {
  return URL.canParse(signInUrl) ? inviteIn(new URL(signInUrl).hash) : undefined
}
