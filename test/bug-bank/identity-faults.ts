import type { PlantedFault } from './planted-faults.ts'

const SUITE = 'apps/signer/src/key-life.test.ts'
const SIGNERS = 'packages/policy/src/signers.test.ts'

/** Faults around a signer with a new identity (docs/adr/0007): who is believed, from when, and who is not any more. */
export const identityFaults: PlantedFault[] = [
  {
    file: 'apps/signer/src/calls.ts',
    original: 'if (!named || !equalBytes(named, signer.options.identity.publicKey)) {',
    replacement: 'if (!named) {',
    claimedBy: SUITE,
    test: 'takes the place of another: signing goes on',
    why: 'the machine that was replaced goes on answering: there are four signers, and whoever took it has half a signature',
  },
  {
    file: 'apps/signer/src/calls.ts',
    original: 'attestOrder(signer, servedBy(signer, asked.genesis), asked)',
    replacement: 'attestOrder(signer, organisationOf(signer, asked.genesis), asked)',
    claimedBy: SUITE,
    test: 'takes the place of another: signing goes on',
    why: 'a machine that was replaced goes on saying what it makes of orders',
  },
  {
    file: 'apps/signer/src/follow-policy.ts',
    original: "if (replaced.length > 0) await signer.sessions.endAll('a signer was replaced', organisation)",
    replacement: '',
    claimedBy: SUITE,
    test: 'is believed from the moment the others follow the version',
    why: 'what was under way with the old machine still gives it a signature',
  },
  {
    file: 'apps/signer/src/pin-genesis.ts',
    original: 'if (!named || !equalBytes(named.signKey, identity.publicKey)) {',
    replacement: 'if (!named) {',
    claimedBy: SUITE,
    test: 'pins nothing that does not name it',
    why: 'a signer serves an organisation whose documents name another in its place',
  },
  {
    file: 'apps/signer/src/key-epochs.ts',
    original: 'for (const { party, signKey } of staged.signers) {',
    replacement: 'for (const { party, signKey } of organisation.signers) {',
    claimedBy: SUITE,
    test: 'comes into a key whose new shares were half in use',
    why: 'new shares that are in use at one signer can never come into use at the other: the key is lost',
  },
  {
    file: 'packages/policy/src/signers.ts',
    original: 'if (signers.length !== 3)',
    replacement: 'if (signers.length < 3)',
    claimedBy: SIGNERS,
    why: 'a version of the policy names four signers',
  },
  {
    file: 'packages/policy/src/policy.ts',
    original: "const fault = policy.kind === 'namedSigners' ? faultOfSigners(policy.signers) : undefined",
    replacement: 'const fault: string | undefined = undefined',
    claimedBy: SIGNERS,
    why: 'a version names signers that nobody has checked: one machine in two places signs alone',
  },
  {
    file: 'packages/policy/src/signers.ts',
    original: 'if (replaced.length > 1)',
    replacement: 'if (replaced.length > 2)',
    claimedBy: SIGNERS,
    why: 'two new signers at once have nobody between them who knows what was before',
  },
  {
    file: 'packages/policy/src/policy-change.ts',
    original: 'if (!tally.met) throw',
    replacement: 'if (tally === null) throw',
    claimedBy: SIGNERS,
    why: 'one person alone puts a machine of their own in the place of a signer',
  },
  {
    file: 'packages/policy/src/policy-change.ts',
    original: "if (current.kind === 'namedSigners' && next.kind !== 'namedSigners')",
    replacement: 'if (current === next)',
    claimedBy: SIGNERS,
    why: 'a version that names no signers brings back the one that was replaced',
  },
  {
    file: 'features/strategy/server/apply-policy-change.ts',
    original: 'coSigners.online().filter((each) => !replaced.includes(each))',
    replacement: 'coSigners.online()',
    claimedBy: 'features/strategy/server/policy-change.test.ts',
    test: 'that replaces a signer comes into force when the two that stay follow it',
    why: 'the machine that is replaced counts among those that follow the change which replaces it',
  },
  {
    file: 'features/wallet/server/make-key.ts',
    original: 'else if (isOfFormerSigners(key, inForce))',
    replacement: 'else if (key.keyId.length === 0)',
    claimedBy: 'features/wallet/server/make-key.test.ts',
    test: 'is begun anew with the one in its place where a signer is replaced',
    why: 'a key that is being made waits for a share that the new machine never had',
  },
]
