import type { PlantedFault } from './planted-faults.ts'

const SIGNERS = 'apps/signer/src/three-signers.test.ts'
const MPC = 'packages/mpc/src'

/** Faults around a signature and what a co-signer can make of one: the recovery id, the set-up of a pair, what burns, randomness, and what is a signature at all. */
export const signatureFaults: PlantedFault[] = [
  {
    file: `${MPC}/sign.ts`,
    original: 'return equalBytes(recovered.toBytes(true), publicKey)',
    replacement: 'return recovered !== null && secp256k1.verify(new Uint8Array([...r, ...s]), digestSigned, publicKey, { prehash: false })',
    claimedBy: `${MPC}/fault-table.test.ts`,
    test: 'fault table, signing dkls23/v1',
    why: 'who sends its half last gives the honest signer a recovery id of another payer, which it keeps for good',
  },
  {
    file: 'apps/signer/src/verify.ts',
    original: ' && fitsBytes(codec, intent.from, request.unsigned, found) ? found : undefined',
    replacement: ' ? found : undefined',
    claimedBy: SIGNERS,
    test: 'left a wrong recovery id in the journal',
    why: 'a signature that no network takes is handed to the other honest signer again and again, which names who handed it over',
  },
  {
    file: 'features/transfer/server/request-signature.ts',
    original: 'const whole = tried.find((each) => each.isRight)',
    replacement: 'const whole = tried[0]',
    claimedBy: 'features/transfer/server/sign-order.test.ts',
    test: 'that hands over a signature nobody can use',
    why: 'a signer that lies about its result stops the payment, though the other one has the signature',
  },
  {
    file: `${MPC}/pair-setup.ts`,
    original: 'jointSeed: digest(jointSeedShape, { session: session.id, ...',
    replacement: 'jointSeed: digest(jointSeedShape, { session: setupId, ...',
    claimedBy: `${MPC}/pair-setup.test.ts`,
    test: 'whoever speaks last in the set-up chooses nothing',
    why: 'who answers last tries answers until it likes the gadget vector, in which the honest party hides its inputs',
  },
  {
    file: `${MPC}/parameters.ts`,
    original: 'export const CHECK_BITS = 160',
    replacement: 'export const CHECK_BITS = 128',
    claimedBy: `${MPC}/ot-extension.test.ts`,
    test: 'the parameters are those of the paper',
    why: 'a receiver that tries challenges needs 2^115 hashes to read the sender’s choice bits',
  },
  {
    file: `${MPC}/sign-fresh.ts`,
    original: "startPairSetup(partOf(context, 'pair-setup'), random)",
    replacement: "startPairSetup({ ...partOf(context, 'pair-setup'), session: context.keyId }, random)",
    claimedBy: `${MPC}/sign-fresh.test.ts`,
    test: 'one set-up of three rounds serves all signatures',
    why: 'the set-up of one large order is bound to no session, and its messages can be played again in the next',
  },
  {
    file: 'packages/encoding/src/codec.ts',
    original: "if (field && !('value' in field)) throw new EncodingError(`${path}.${name}: is computed where a value is expected`)\n  return field?.value",
    replacement: 'return (value as Record<string, unknown>)[name] ?? field',
    claimedBy: 'packages/encoding/src/codec.test.ts',
    test: 'only what a record itself holds is encoded',
    why: 'what is signed can differ from what was looked at: a getter gives another value the second time, a prototype gives one to all records',
  },
  {
    file: 'packages/encoding/src/codec.ts',
    original: 'for (let i = 0; i < value.length; i++) write(out, shape.item, value[i], `${path}[${i}]`)',
    replacement: 'value.forEach((item, i) => write(out, shape.item, item, `${path}[${i}]`))',
    claimedBy: 'packages/encoding/src/codec.test.ts',
    test: 'only what a record itself holds is encoded',
    why: 'a list with holes is encoded as bytes that no reader takes, and is signed as such',
  },
  {
    file: 'apps/signer/src/session-randomness.ts',
    original: 'return hedgedRandom((length) => kernelRandom.bytes(length), ofProcess(32), session)',
    replacement: 'return kernelRandom && ofProcess',
    claimedBy: SIGNERS,
    test: 'does not come back where the memory of a signer is set back',
    why: 'a machine resumed from a copy of its memory signs with the same nonces again, which gives the key',
  },
]
