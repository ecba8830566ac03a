import type { PlantedFault } from '../planted-faults.ts'

const SUITE = 'features/push/server/push.test.ts'

/** Faults around telling devices that something waits. */
export const pushFaults: PlantedFault[] = [
  {
    file: 'features/push/server/send-pushes.ts',
    original: 'set next_at = ${nowMs + PER_DEVICE_MS}',
    replacement: 'set next_at = ${nowMs}',
    claimedBy: SUITE,
    test: 'nothing twice in a minute',
    why: 'a device rings with every order and with every server that sweeps, until its owner switches notifications off',
  },
  {
    file: 'features/push/server/send-pushes.ts',
    original: 'a.to_at > ${nowMs}',
    replacement: 'a.to_at < ${nowMs}',
    claimedBy: SUITE,
    test: 'of a reminder once its owner is back',
    why: 'a device rings on holiday, and who is back is not told of what they were reminded of',
  },
  {
    file: 'features/push/server/send-pushes.ts',
    original: "if (status === 404 || status === 410) return 'gone'",
    replacement: "if (status === 404) return 'gone'",
    claimedBy: SUITE,
    test: 'is forgotten when its push service has forgotten it',
    why: 'devices that are long gone stay in the list and are tried for ever',
  },
  {
    file: 'features/push/server/send-pushes.ts',
    original: 'await resolveEndpoint(ports, endpoint)',
    replacement: 'await ports.net.resolve(endpoint.host)',
    claimedBy: SUITE,
    test: 'leads to a private network',
    why: 'whoever has an approval key has the server call addresses that only the server reaches',
  },
  {
    file: 'features/push/server/page-calls.ts',
    original: 'if (!equalBytes(statement.serverKey, publicKey)) throw',
    replacement: 'if (statement.serverKey.length !== publicKey.length) throw',
    claimedBy: SUITE,
    test: 'counts when the owner of the key has signed it just now',
    why: 'a wish that was signed for another server counts here, and the device is tried in vain',
  },
  {
    file: 'packages/policy/src/check-waiting.ts',
    original: 'challenge: pushChallenge(statement) }, policy, nowMs)',
    replacement: 'challenge: pushChallenge({ ...statement, on: true }) }, policy, nowMs)',
    claimedBy: 'packages/policy/src/check-waiting.test.ts',
    test: 'just now and as it was signed',
    why: 'whoever has seen the wish to be told turns it into the wish to be told no longer',
  },
  {
    file: 'apps/signer/page/page-headers.ts',
    original: 'if (!text.includes(integrityOf(bytes))) throw',
    replacement: 'if (!text.includes(name)) throw',
    claimedBy: 'apps/signer/src/page/approval-server.test.ts',
    test: 'is not served with a file that its HTML does not name',
    why: 'the hash of the page that people compare says nothing of the worker that their browser runs',
  },
  {
    file: 'features/push/server/routes.ts',
    original: "    .where('person_id', '=', personId)\n",
    replacement: '',
    claimedBy: 'features/push/server/push.test.ts',
    test: 'is one of each person alone',
    why: 'any member sees on which devices the others are told, and has them told nothing any more',
  },
]
