import { decode, encode, equalBytes, fromHex, type Infer, toHex } from '@holdfast/encoding'
import {
  type Acceptance,
  acceptanceShape,
  type Approval,
  approvalShape,
  type Credential,
  credentialShape,
  type Intent,
  intentHash,
  intentShape,
  pushShape,
  waitingShape,
} from '@holdfast/intent'
import {
  ApprovalRefused,
  checkApproval,
  checkGenesis,
  checkPush,
  checkWaiting,
  countApprovals,
  evaluateOrder,
  type Genesis,
  genesisHash,
  GenesisRefused,
  genesisShape,
  ownerOfKey,
  type Policy,
  policyHash,
  policyShape,
} from '@holdfast/policy'
import { nodePorts } from '@holdfast/ports/node'
import { orderStatementShape, signedShape, signMessage } from '@holdfast/protocol'
import { uuidToBytes } from '@holdfast/units'
import { sha256 } from '@noble/hashes/sha2.js'
import { buildPage } from '../build.ts'
import { type PageAnswer, pageAnswers } from '../page-headers.ts'
import { ETH, genesisOf, signSecretOf, USDC } from './make-genesis.ts'

type FoundingMember = { id: string; name: string; token: string; credential?: Credential; acceptance?: Acceptance }
export type Founding = {
  name: string
  demo: boolean
  demoToken: string
  members: FoundingMember[]
  threshold: bigint
  genesis: Genesis | null
  pinned: boolean
  invite: string | null
}

type OrderStatement = Infer<typeof orderStatementShape>

/** Changes what the server says, to play a server that lies. */
export type Lies = {
  setup?(view: Record<string, unknown>): Record<string, unknown>
  order?(reply: Record<string, unknown>): Record<string, unknown>
  /** What signer 2 or 3 says of an order: its statement with what is to be changed in it, or null if it is not heard. */
  witness?(party: number): Partial<OrderStatement> | null
  genesis?(genesis: Genesis): Genesis
}

/**
 * A signer and a server in one, for the page to talk to: real documents, real checks, state in memory. Serves the page
 * with the headers a signer serves it with.
 */
export async function startApprovalServer(): Promise<ApprovalServer> {
  const page = pageAnswers(await buildPage())
  const server = new ApprovalServer(page)
  await server.listen()
  return server
}

type Bearer = { founding: Founding; actsFor(id: string): boolean }

class Refusal extends Error {}

export class ApprovalServer {
  readonly foundings: Founding[] = []
  readonly orders = new Map<string, { intent: Intent; policy: Policy; approvals: Approval[]; state: string }>()
  /** What came with each decision. */
  readonly remarks: string[] = []
  lies: Lies = {}
  origin = ''
  close: () => Promise<void> = async () => {}
  readonly #page: Map<string, PageAnswer>

  constructor(page: Map<string, PageAnswer>) {
    this.#page = page
  }

  async listen(): Promise<void> {
    const { port, close } = await nodePorts.net.serveHttp('127.0.0.1', 0, (request) => this.#answer(request))
    this.origin = `http://approve.localhost:${port}`
    this.close = close
  }

  addFounding(founding: Pick<Founding, 'name' | 'demo' | 'threshold'> & { names: string[]; invite?: string }): Founding {
    const { names, ...rest } = founding
    const salt = this.foundings.length
    const members = names.map((name, i) => ({
      id: `01890f3e-7b6c-7cc1-98c4-dc0c0c07${String(salt).padStart(2, '0')}0${i}`,
      name,
      token: `member-${salt}-${i}`,
    }))
    const made = { invite: null, ...rest, demoToken: `demo-${salt}`, members, genesis: null, pinned: false }
    this.foundings.push(made)
    return made
  }

  addOrder(founding: Founding, changes: Partial<Extract<Intent, { kind: 'transfer' }>> = {}): string {
    const { genesis } = founding
    if (!genesis) throw new Error('found the organisation first')
    const policy = genesis.policy
    const nowMs = BigInt(nodePorts.clock.nowMs())
    const intent: Intent = {
      kind: 'transfer',
      genesis: genesisHash(genesis),
      orderId: sha256(Uint8Array.of(this.orders.size)).slice(0, 16),
      keyId: sha256(Uint8Array.of(1)),
      path: [0n, 7n],
      from: '0x7bD8f8dC9a1F1d8a91FfB6AaA30FD9F2BEd0bC11',
      to: '0x52908400098527886E0F7030069857D2E4169EE7',
      memo: null,
      asset: USDC,
      amount: 1_250_000_000_001n,
      feeAsset: ETH,
      feeCap: 2_100_000_000_000_000n,
      slotRule: 'account-nonce',
      notBeforeMs: nowMs - 60_000n,
      expiresAtMs: nowMs + 86_400_000n,
      policyVersion: policy.version,
      policyHash: policyHash(policy),
      initiator: policy.people[0]!.id,
      screening: null,
      remark: 'Invoice 2024-118',
      nonce: sha256(Uint8Array.of(2, this.orders.size)),
      ...changes,
    }
    return this.addIntent(intent, policy)
  }

  addIntent(intent: Intent, policy: Policy): string {
    const hash = toHex(intentHash(intent))
    this.orders.set(hash, { intent, policy, approvals: [], state: 'approving' })
    return hash
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    const file = request.method === 'GET' ? this.#page.get(pathname) : undefined
    if (file) return new Response(file.bytes, { headers: file.headers })
    if (request.method !== 'POST' || !pathname.startsWith('/api/')) return new Response('', { status: 404 })
    try {
      return Response.json(this.#call(pathname.slice(5), (await request.json()) as Record<string, string>))
    } catch (error) {
      if (error instanceof Refusal || error instanceof ApprovalRefused) return Response.json({ error: error.message }, { status: 400 })
      throw error
    }
  }

  #call(method: string, body: Record<string, string>): unknown {
    switch (method) {
      case 'setup.get':
        return this.#view(this.#bearer(body.token!))
      case 'setup.enrol':
        return this.#enrol(this.#bearer(body.token!), body)
      case 'setup.accept':
        return this.#accept(this.#bearer(body.token!), body)
      case 'order.get':
        return this.#getOrder(body.hash!)
      case 'order.witness':
        return this.#witness(body.hash!, fromHex(body.challenge!))
      case 'order.waiting':
        return this.#waiting(body.waiting!)
      case 'push.key':
        return { key: '04'.padEnd(130, '7') }
      case 'push.set':
        return this.#setPush(body.push!)
      case 'order.approve':
        this.remarks.push(body.remark ?? '')
        return this.#approve(body.approval!)
      default:
        throw new Refusal(`no method ${method}`)
    }
  }

  #bearer(token: string): Bearer {
    for (const founding of this.foundings) {
      if (founding.demo && founding.demoToken === token) return { founding, actsFor: () => true }
      const member = founding.members.find((each) => each.token === token)
      if (member) return { founding, actsFor: (id) => id === member.id }
    }
    throw new Refusal('This link is not valid any more.')
  }

  #view({ founding, actsFor }: Bearer): unknown {
    const { genesis } = founding
    const accepted = founding.members.every((member) => member.acceptance)
    const view = {
      name: founding.name,
      demo: founding.demo,
      state: founding.pinned ? 'ready' : accepted ? 'pinning' : genesis ? 'accepting' : 'enrolling',
      members: founding.members.map(({ id, name, credential, acceptance }) => ({
        person_id: id,
        name,
        enrolled: credential !== undefined,
        accepted: acceptance !== undefined,
        mine: actsFor(id),
      })),
      genesis: genesis && toHex(encode(genesisShape, genesis)),
      fingerprint: genesis && toHex(genesisHash(genesis)),
      console_url: 'http://console.localhost:7000',
      invite: founding.invite,
    }
    return { setup: this.lies.setup?.(view) ?? view }
  }

  #enrol(bearer: Bearer, body: Record<string, string>): unknown {
    const member = bearer.founding.members.find((each) => each.id === body.person_id)
    if (!member || !bearer.actsFor(member.id)) throw new Refusal('This link may not act for that member.')
    if (bearer.founding.genesis) throw new Refusal('The keys are settled already.')
    member.credential = decode(credentialShape, fromHex(body.credential!))
    if (bearer.founding.members.every((each) => each.credential)) {
      const genesis = genesisOf(bearer.founding, this.origin)
      bearer.founding.genesis = this.lies.genesis?.(genesis) ?? genesis
    }
    return this.#view(bearer)
  }

  #accept(bearer: Bearer, body: Record<string, string>): unknown {
    const { founding } = bearer
    const acceptance = decode(acceptanceShape, fromHex(body.acceptance!))
    const member = founding.members.find((each) => equalBytes(uuidToBytes(each.id), acceptance.person))
    if (!member || !bearer.actsFor(member.id)) throw new Refusal('This link may not act for that member.')
    member.acceptance = acceptance
    const acceptances = founding.members.flatMap((each) => each.acceptance ?? [])
    try {
      checkGenesis({ genesis: founding.genesis!, acceptances })
      // The signers take a moment to pin what everybody accepted.
      nodePorts.timer.after(1200, () => {
        founding.pinned = true
      })
    } catch (error) {
      if (!(error instanceof GenesisRefused) || !error.message.startsWith('not yet accepted')) throw new Refusal(String(error))
    }
    return this.#view(bearer)
  }

  #getOrder(hash: string): unknown {
    const order = this.orders.get(hash)
    if (!order) throw new Refusal('There is no such order.')
    const { genesis } = this.#foundingOf(order.intent)
    const reply = {
      intent: toHex(encode(intentShape, order.intent)),
      approvals: order.approvals.map((each) => toHex(encode(approvalShape, each))),
      delegations: [],
      state: order.state,
      genesis: toHex(encode(genesisShape, genesis!)),
      policy: toHex(encode(policyShape, order.policy)),
      facts: { first_time: true, contract: false, own: false, similar: [] },
    }
    return this.lies.order?.(reply) ?? reply
  }

  #foundingOf(intent: Intent) {
    return this.foundings.find((each) => each.genesis && toHex(genesisHash(each.genesis)) === toHex(intent.genesis))!
  }

  #witness(hash: string, challenge: Uint8Array): unknown {
    const order = this.orders.get(hash)
    if (!order) throw new Refusal('There is no such order.')
    const statements = [2, 3].map((party) => {
      const change = this.lies.witness ? this.lies.witness(party) : {}
      const said = {
        genesis: order.intent.genesis,
        party: BigInt(party),
        intentHash: fromHex(hash),
        policyHash: policyHash(order.policy),
        objection: '',
        challenge,
        atMs: BigInt(nodePorts.clock.nowMs()),
        ...change,
      }
      return { party, statement: change && toHex(encode(signedShape, signMessage(orderStatementShape, said, BigInt(party), signSecretOf(party)))) }
    })
    return { party: 1, statements }
  }

  #waiting(hex: string): unknown {
    const waiting = decode(waitingShape, fromHex(hex))
    const founding = this.foundings.find((each) => each.genesis && ownerOfKey(each.genesis.policy, waiting))
    if (!founding) throw new Refusal('no policy names this key')
    const person = checkWaiting(waiting, founding.genesis!.policy, nodePorts.clock.nowMs())
    const isFor = ({ intent, approvals }: { intent: Intent; approvals: Approval[] }) =>
      equalBytes(intent.genesis, genesisHash(founding.genesis!)) &&
      !equalBytes(intent.initiator, person.id) &&
      !approvals.some((each) => equalBytes(each.person, person.id))
    return { name: person.name, hashes: [...this.orders].filter(([, order]) => isFor(order)).map(([hash]) => hash) }
  }

  #setPush(hex: string): unknown {
    const push = decode(pushShape, fromHex(hex))
    const founding = this.foundings.find((each) => each.genesis && ownerOfKey(each.genesis.policy, push))
    if (!founding) throw new Refusal('no policy names this key')
    checkPush(push, founding.genesis!.policy, nodePorts.clock.nowMs())
    return { on: push.statement.on }
  }

  #approve(hex: string): unknown {
    const approval = decode(approvalShape, fromHex(hex))
    const order = this.orders.get(toHex(approval.intentHash))
    if (!order) throw new Refusal('There is no such order.')
    const { intent, policy } = order
    checkApproval(approval, intent, policy)
    order.approvals.push(approval)
    if (intent.kind !== 'transfer') return { state: order.state, missing: 0 }
    const outcome = evaluateOrder(policy, intent)
    if (outcome.kind === 'deny') throw new Refusal(outcome.reason)
    const tally = countApprovals({ policy, intent, approvals: order.approvals, steps: outcome.steps })
    order.state = tally.rejectedBy.length > 0 ? 'rejected' : tally.met ? 'approved' : 'approving'
    return { state: order.state, missing: tally.missing }
  }
}
