/**
 * The path of the page at which an invited person chooses a way to sign in. The invitation stands behind "#", which browsers send to no server: so it is in
 * no log of addresses.
 */
export function invitePath(token: string): string {
  return `/login#invite=${token}`
}

/** The invitation in the part of an address that begins with "#"; undefined if there is none. */
export function inviteIn(hash: string): string | undefined {
  return /^#invite=([A-Za-z0-9_-]{43})$/.exec(hash)?.[1]
}
