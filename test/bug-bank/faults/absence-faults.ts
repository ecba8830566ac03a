import type { PlantedFault } from '../planted-faults.ts'

const SUITE = 'features/policy/server/signer-order.test.ts'

/** Faults around what people tell the signers: that one is away, and that a stop of all signing is lifted. */
export const absenceFaults: PlantedFault[] = [
  {
    file: 'features/proposal/server/quorum.ts',
    original: 'people.filter((id) => !equalBytes(id, intent.initiator))',
    replacement: 'people.filter((id) => id.length === intent.initiator.length)',
    claimedBy: SUITE,
    test: 'stands in the to-do lists and their counts with its page',
    why: 'whoever asks that a signer is away is counted among those who approve it: one person less is needed to do without its word',
  },
  {
    file: 'features/policy/server/signer-order/propose-signer-order.ts',
    original: 'if (rows.length !== hashes.length) throw',
    replacement: 'if (rows.length === 0) throw',
    claimedBy: SUITE,
    test: 'is shown with who, when and why',
    why: 'a lift that names a freeze which is none is asked for with what is left of it, and people approve another order than was asked for',
  },
  {
    file: 'features/policy/server/signer-order/signer-order-kind.ts',
    original: "canStop: ({ row }) => row.state === 'approved' && row.endorsements === null,",
    replacement: 'canStop: () => false,',
    claimedBy: SUITE,
    test: 'is stopped by one who governs after its quorum',
    why: 'a rejection that comes after the quorum, while no signer has been told, is turned away and the order goes on',
  },
  {
    file: 'apps/signer/src/state/freezes.ts',
    original: 'return [...new Set([...newest.values(), ...all])].slice(0, FROZEN_MAX)',
    replacement: 'return all.slice(0, FROZEN_MAX)',
    claimedBy: 'apps/signer/src/together.test.ts',
    test: 'of one person, however often it is given',
    why: 'whoever freezes again and again has the freeze of everybody else told last, and left out',
  },
]
