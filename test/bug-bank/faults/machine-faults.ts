import type { PlantedFault } from '../planted-faults.ts'

const SIGNER = 'apps/signer/src/checks/verify-machines.test.ts'
const POLICY = 'packages/policy/src/people/machines.test.ts'

/** Faults around machines that ask and approve (docs/adr/0039): a server that asks in their name, and a machine that stands where only people do. */
export const machineFaults: PlantedFault[] = [
  {
    file: 'packages/policy/src/count-approvals.ts',
    original: 'const missing = missingInSteps + (lacksAsk ? 1 : 0)',
    replacement: 'const missing = missingInSteps',
    claimedBy: SIGNER,
    test: 'ask by a signature of their own, beside the people of the rule',
    why: 'a server asks in the name of a machine, and needs only what its rule asks of people',
  },
  {
    file: 'packages/policy/src/people/check-machine.ts',
    original: 'if (!isSignedByMachine(signed, machine.publicKey)) throw',
    replacement: 'if (signed.signature.length !== 64) throw',
    claimedBy: SIGNER,
    test: 'are refused for another order, organisation or policy, by another key, or out of their place',
    why: 'whoever knows the name of a machine signs as it',
  },
  {
    file: 'packages/policy/src/people/check-machine.ts',
    original: 'if (!equalBytes(signed.intentHash, intentHash(intent))) throw',
    replacement: 'if (signed.intentHash.length !== 32) throw',
    claimedBy: SIGNER,
    test: 'are refused for another order, organisation or policy, by another key, or out of their place',
    why: 'what a machine asked for once is asked for again, for any amount',
  },
  {
    file: 'packages/policy/src/people/check-machine.ts',
    original: 'if (machine.expiresAtMs <= now) throw',
    replacement: 'if (machine.expiresAtMs <= signed.signedAtMs) throw',
    claimedBy: POLICY,
    test: 'an expired machine asks for nothing and approves nothing',
    why: 'a key that has expired signs as of yesterday',
  },
  {
    file: 'packages/policy/src/people/check-machine.ts',
    original: "if (!isItsWord || (signed.decision === 'ask' && !equalBytes(partyOfMachine(machine), intent.initiator)))",
    replacement: "if (signed.decision === 'ask' && !equalBytes(partyOfMachine(machine), intent.initiator))",
    claimedBy: POLICY,
    test: 'a machine signature that is not exactly its own of this order is refused',
    why: 'an API key approves, and a co-signer asks',
  },
  {
    file: 'packages/policy/src/rules/read-rule.ts',
    original: '...(asked.length === 0 ? [] : machinesOf(directory).map(partyOfMachine))',
    replacement: '...machinesOf(directory).map(partyOfMachine)',
    claimedBy: POLICY,
    test: 'a rule that names no machine lets none ask, and one that names it lets no other',
    why: 'every rule of people lets every machine ask',
  },
  {
    file: 'packages/policy/src/rules/check-rule.ts',
    original: "if (who.length > 1 && who.some(({ kind }) => kind === 'machine')) throw",
    replacement: 'if (who.length > 255) throw',
    claimedBy: POLICY,
    test: 'a policy names machines where they can act and nowhere else',
    why: 'a machine stands in for a person of a step',
  },
  {
    file: 'packages/policy/src/change/strictness.ts',
    original: 'before.coSigner === null || before.coSigner === after.coSigner',
    replacement: 'true',
    claimedBy: POLICY,
    test: 'a machine that is added, or lives longer, and a co-signer that is taken out loosen the policy and touch the part of machines',
    why: 'a co-signer is left out of a rule without anybody waiting',
  },
  {
    file: 'packages/open-client/src/check-asked.ts',
    original: "demand(toHex(data) === asked.input_data.slice(2).toLowerCase(), 'call data')",
    replacement: "demand(data.length * 2 + 2 === asked.input_data.length, 'call data')",
    claimedBy: 'packages/open-client/src/check-asked.test.ts',
    test: 'a call is signed where its bytes call what was asked for, and nothing else is',
    why: 'a server has a key ask for another call of the contract than its program meant',
  },
  {
    file: 'apps/co-signer/src/checks/verify-order.ts',
    original: 'return lacksAsk || fillSteps',
    replacement: 'return fillSteps',
    claimedBy: 'apps/co-signer/src/co-signer.test.ts',
    test: 'it waits for the machine that asks to have signed that it does, whoever says that it asked',
    why: 'a server has the callback say yes to an order that no program asked for',
  },
]
