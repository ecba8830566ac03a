import { registerHooks } from 'node:module'

const QUICK = new URL('quick-signatures.ts', import.meta.url).href
const STOOD_IN_FOR = ['@noble/curves/ed25519.js', '@noble/curves/nist.js', '@holdfast/encoding/ed25519', './verify-p256.ts']

/** From here on, whatever is imported signs and checks by `quick-signatures.ts`. What was imported before does not. */
export function useQuickSignatures(): void {
  registerHooks({
    resolve: (specifier, context, next) =>
      STOOD_IN_FOR.includes(specifier) && context.parentURL !== QUICK ? { url: QUICK, shortCircuit: true } : next(specifier, context),
  })
}
