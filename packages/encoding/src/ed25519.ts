export { signEd25519 } from './sign-ed25519.ts'
export { verifyEd25519 } from './verify-ed25519.ts'
