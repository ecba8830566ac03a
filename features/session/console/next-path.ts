const HOME = '/mpc/wallet'

/**
 * Where to go after signing in: the path of this console that was asked for, else the wallets. Anything that could lead to
 * another origin, or back to the sign-in page, is not followed.
 */
export function nextPath(asked: string | null): string {
  if (asked === null || !/^\/mpc(\/[A-Za-z0-9_/-]*)?(\?[A-Za-z0-9_=&%.,:+-]*)?$/.test(asked) || asked.includes('//')) return HOME
  return asked
}
