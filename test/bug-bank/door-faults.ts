import type { PlantedFault } from './planted-faults.ts'

const SERVING = 'packages/ports/src/serve-http.test.ts'
const RANGES = 'packages/ports/src/address-ranges.test.ts'
const CALLS = 'packages/http/src/create-http-server.test.ts'
const ASSERTION = 'packages/intent/src/assertion.test.ts'
const COUNTERS = 'apps/signer/src/approver-counters.test.ts'
const REPLACEMENT = 'apps/signer/src/verify-replacement.test.ts'
const PAGE = 'apps/signer/src/start-signer.test.ts'

/** Faults at the doors that strangers reach: who is let in, how much they may take, and whose word is believed. */
export const doorFaults: PlantedFault[] = [
  {
    file: 'packages/ports/src/serve-http.ts',
    original: 'const body = refusal ? undefined : await bodyOf(incoming, limits.bodyBytesMax)',
    replacement: 'const body = await bodyOf(incoming, Infinity)',
    claimedBy: SERVING,
    why: 'anybody fills the memory of the process that holds a share, with bodies that are refused only once they are there',
  },
  {
    file: 'packages/ports/src/serve-http.ts',
    original: 'connectionsCheckingInterval: Math.min(1000, Math.ceil(limits.headWithinMs / 4)),',
    replacement: 'connectionsCheckingInterval: 30_000,',
    claimedBy: SERVING,
    why: 'the deadlines of headers and bodies are set and never looked at',
  },
  {
    file: 'packages/ports/src/serve-http.ts',
    original: 'const late = setTimeout(() => socket.destroy(), limits.exchangeWithinMs)',
    replacement: 'const late = setTimeout(() => undefined, limits.exchangeWithinMs)',
    claimedBy: SERVING,
    why: 'whoever asks and does not take the answer keeps a connection for good',
  },
  {
    file: 'packages/ports/src/serve-http.ts',
    original: 'if ((incoming.headersDistinct.host?.length ?? 0) > 1)',
    replacement: 'if ((incoming.headersDistinct.host?.length ?? 0) > 2)',
    claimedBy: SERVING,
    why: 'a proxy and the page behind it can be made to read different hosts in one request',
  },
  {
    file: 'packages/ports/src/bound-connections.ts',
    original: 'if (ofNetwork > limits.connectionsPerAddressMax) socket.destroy()',
    replacement: 'if (ofNetwork > limits.connectionsMax) socket.destroy()',
    claimedBy: SERVING,
    why: 'one address takes all connections of the approval page',
  },
  {
    file: 'packages/ports/src/bound-connections.ts',
    original: 'resting.values().next().value?.destroy()',
    replacement: 'socket.destroy()',
    claimedBy: SERVING,
    why: 'connections that say nothing keep everybody else out',
  },
  {
    file: 'packages/ports/src/address-ranges.ts',
    original: "(forwardedFor ?? '').split(',').reverse()",
    replacement: "(forwardedFor ?? '').split(',')",
    claimedBy: RANGES,
    why: 'the address is what the sender writes into the header: no rate binds, and the login history names whom the sender likes',
  },
  {
    file: 'packages/ports/src/address-ranges.ts',
    original: '/^[1-9]\\d{0,2}$/.test(prefix)',
    replacement: '/^\\d{1,3}$/.test(prefix)',
    claimedBy: RANGES,
    why: 'a range of all addresses is taken for a proxy: everybody is believed',
  },
  {
    file: 'packages/http/src/create-http-server.ts',
    original: 'if (hostsOf(request.raw.rawHeaders) > 1)',
    replacement: 'if (hostsOf(request.raw.rawHeaders) > 2)',
    claimedBy: CALLS,
    why: 'a proxy and the server behind it can be made to read different hosts in one request',
  },
  {
    file: 'packages/http/src/create-http-server.ts',
    original: 'http: { headersTimeout: limits.headWithinMs, connectionsCheckingInterval: Math.min(1000, Math.ceil(limits.headWithinMs / 4)) },',
    replacement: 'http: { headersTimeout: limits.headWithinMs, connectionsCheckingInterval: 30_000 },',
    claimedBy: CALLS,
    why: 'slow headers keep their connections for half a minute and more',
  },
  {
    file: 'apps/signer/src/approval-server.ts',
    original: 'buckets.take(networkOf(address))',
    replacement: 'buckets.take(address)',
    claimedBy: PAGE,
    test: 'answers one network only so often',
    why: 'a stranger with one IPv6 network asks as often as they like, each time from another of its addresses',
  },
  {
    file: 'apps/signer/src/approval-server.ts',
    original: 'if (underWay >= CALLS_AT_ONCE_MAX)',
    replacement: 'if (underWay < 0)',
    claimedBy: PAGE,
    test: 'asks the server for so many strangers',
    why: 'strangers without a session make as many calls of server and database wait at once as they have connections',
  },
  {
    file: 'packages/intent/src/webauthn-data.ts',
    original: 'if (client.crossOrigin !== undefined && client.crossOrigin !== false)',
    replacement: 'if (client.crossOrigin === true)',
    claimedBy: ASSERTION,
    why: 'an approval made inside a frame counts where the browser says so in another way than true',
  },
  {
    file: 'packages/intent/src/webauthn-data.ts',
    original: 'if (client.topOrigin !== undefined)',
    replacement: "if (client.topOrigin === '')",
    claimedBy: ASSERTION,
    why: 'an approval made inside the page of a stranger counts',
  },
  {
    file: 'packages/intent/src/webauthn-data.ts',
    original: '&& new Set(names).size === names.length',
    replacement: '',
    claimedBy: ASSERTION,
    why: 'client data that name two origins are read as naming the last',
  },
  {
    file: 'packages/intent/src/webauthn-data.ts',
    original: 'if ((flags & NEVER_SET) !== 0)',
    replacement: 'if ((flags & NEVER_SET) === NEVER_SET)',
    claimedBy: ASSERTION,
    why: 'authenticator data with flags nobody defined, or with parts nobody reads, count',
  },
  {
    file: 'packages/intent/src/webauthn-data.ts',
    original: 'if ((flags & BACKED_UP) !== 0 && (flags & BACKUP_ELIGIBLE) === 0)',
    replacement: 'if ((flags & BACKED_UP) !== 0 && (flags & BACKUP_ELIGIBLE) !== 0)',
    claimedBy: ASSERTION,
    why: 'a key that was enrolled as one that cannot be copied has been, and counts',
  },
  {
    file: 'apps/signer/src/approver-counters.ts',
    original: 'const isBack = counter === last.counter || (counter < last.counter ? isLater : isEarlier)',
    replacement: 'const isBack = false',
    claimedBy: COUNTERS,
    why: 'a copy of a passkey approves beside the passkey',
  },
  {
    file: 'apps/signer/src/approver-counters.ts',
    original: 'counterOf(approval.assertion) <= last.counter',
    replacement: 'counterOf(approval.assertion) < 0',
    claimedBy: PAGE,
    test: 'is not approved by a passkey whose counter went back',
    why: 'a copy of a passkey approves at the page within minutes of the passkey',
  },
  {
    file: 'apps/signer/src/approver-counters.ts',
    original: 'if (signedAtMs > BigInt(nowMs + CLOCK_TOLERANCE_MS))',
    replacement: 'if (signedAtMs < 0n)',
    claimedBy: COUNTERS,
    why: 'approvals are dated into the future, past a repair of a signer and past whatever is decided by their time',
  },
  {
    file: 'apps/signer/src/verify-reservation.ts',
    original: "if (intent.kind !== 'replacement' || register.bindings.get(toHex(reservation.intentHash))?.committed) return",
    replacement: "if (intent.kind !== 'replacement' || register.bindings.get(toHex(reservation.intentHash)) !== null) return",
    claimedBy: REPLACEMENT,
    why: 'a payment that nobody approved is signed as the speeding up of itself',
  },
  {
    file: 'apps/signer/src/verify-reservation.ts',
    original: 'register.bindings.get(toHex(reservation.intentHash))?.committed) return',
    replacement: 'register.bindings.get(toHex(reservation.intentHash))) return',
    claimedBy: REPLACEMENT,
    test: 'refuses where a message never left',
    why: 'a payment that was given up before anything was signed comes to life by its replacement',
  },
  {
    file: 'packages/intent/src/intent.ts',
    original: "return intent.kind === 'replacement' ? [intent.initiator, originalOf(intent).initiator] : [intent.initiator]",
    replacement: 'return [intent.initiator]',
    claimedBy: REPLACEMENT,
    test: 'is neither who asked for the payment',
    why: 'who asked for a payment approves its speeding up: two people do what a rule wants three for',
  },
]
