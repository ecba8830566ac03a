/** Whether this browser offers passkeys to this page. Where it does not, they are not shown as a way to sign in. */
export function passkeysOffered(): boolean {
  return typeof PublicKeyCredential === 'function' && typeof navigator.credentials?.get === 'function'
}
