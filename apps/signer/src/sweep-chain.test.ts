import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  buildTransfer,
  encodeAuthorization,
  evmCodec,
  readSignedAuthorization,
  type SignedAuthorization,
  type TransferTransaction,
} from '@holdfast/chain-evm/codec'
import { codeDelegatingTo, encodeCollect, sweeper } from '@holdfast/chain-evm/collect'
import { decode, toHex } from '@holdfast/encoding'
import { type AuthorizationIntent, type ContractCallIntent, ENDS_DELEGATION, EVERYTHING, intentHash, type StandingOrderIntent } from '@holdfast/intent'
import { signatureResultShape } from '@holdfast/protocol'
import { type Address, type Hex, hexToBytes, parseEther } from 'viem'
import { type Anvil, startAnvil } from '../../../packages/chains/evm/testing/anvil.ts'
import { openOddToken } from '../../../packages/chains/evm/testing/odd-token.ts'
import { cosignAll, resultOf, runSession } from './testing/cluster.ts'
import { found, type Founded, type Office, openOffice } from './testing/founded-cluster.ts'
import { actsOf, type Asked } from './testing/office-acts.ts'
import { addressOf, draftOf, OTHER_ADDRESS, requestOf } from './testing/order-of.ts'
import { CHAIN, COIN, TOKEN } from './testing/organisation-of.ts'
import { followSignerOrder, standingOrderAskedOf } from './testing/signer-order-of.ts'
import { TREASURY_PATH } from './testing/standing-order-of.ts'
import { ann } from './testing/world-of.ts'

/* Three real signers and a real network: tokens of addresses that never had a coin come to the treasury, and nothing happens that people did not approve. */

const DEPOSITS = [1n, 2n, 3n].map((number) => [0n, number])
const PURSE = [2n, 0n]
const codec = evmCodec({ chain: CHAIN })
let founded: Founded
let anvil: Anvil
let token: Awaited<ReturnType<typeof openOddToken>>

before(async () => {
  ;[founded, anvil] = await Promise.all([found(), startAnvil()])
  token = await openOddToken(anvil)
  assert.equal(token.address, TOKEN.contract)
})
after(async () => {
  await anvil?.stop()
  await founded?.remove()
})

const at = (path: bigint[]) => addressOf(founded.key, path) as Address
const codeAt = async (address: Address) => hexToBytes((await anvil.network.getCode({ address })) ?? '0x')

describe('a sweep without allowances', () => {
  it('takes tokens of addresses without a coin: each authorizes the sweeper once, and the purse pays for one transaction', async (t) => {
    const office = await openOffice(t, founded)
    const { refuses } = actsOf(() => founded)
    const { keyId } = founded.key
    const to = [{ chain: CHAIN, name: 'Treasury', keyId, path: TREASURY_PATH }]
    const follow = async (standing: Partial<StandingOrderIntent>) => {
      const { order, asked } = await standingOrderAskedOf(office, { standing })
      await followSignerOrder(office, asked)
      return order
    }
    const authorize = await follow({
      ...{ id: new Uint8Array(16).fill(0x61), does: { kind: 'authorize', to }, assets: [{ asset: COIN, atLeast: 0n, atMost: EVERYTHING }], fees: [] },
      limits: countOf(4n),
    })
    const take = await follow({
      ...{ id: new Uint8Array(16).fill(0x62), does: { kind: 'take', to }, sources: [{ name: 'Purse', keyId, path: [2n] }] },
      ...{ assets: [{ asset: TOKEN, atLeast: 10n, atMost: 1_000n }], limits: countOf(4n) },
    })
    const [target, purse, deposits] = [at(TREASURY_PATH), at(PURSE), DEPOSITS.map(at)]
    const contract = sweeper.addressOf(target)
    for (const [i, address] of deposits.entries()) await token.write(0, 'mint', [address, 100n + BigInt(i)])
    await anvil.network.setBalance({ address: purse, value: parseEther('1') })

    const authorized = async (path: bigint[], nonce: bigint, delegate: string | null) => {
      const made = { kind: 'authorization' as const, to: delegate ?? ENDS_DELEGATION, feeCap: 0n }
      const asked = await requestUnder(office, authorize, { path, made, unsigned: encodeAuthorization({ chain: CHAIN, delegate, nonce }) })
      return { asked, sign: async () => readSignedAuthorization((await signedBy(office, asked)).raw).signed }
    }
    const calling = async ({ call, carries = [], own = [] }: { call: { to: string; data: Uint8Array }; carries?: SignedAuthorization[]; own?: bigint[][] }) => {
      const nonce = BigInt(await anvil.network.getTransactionCount({ address: purse }))
      const fees = { gasLimit: 700_000n, maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 0n }
      const transaction: TransferTransaction = { asset: { chain: CHAIN, contract: null }, amount: 0n, ...call, nonce, ...fees }
      const unsigned = buildTransfer(carries.length > 0 ? { ...transaction, authorizations: carries } : transaction)
      const signature = call.to === contract && call.data.length > 0 ? 'collectWhole(address,address[],uint256[])' : null
      const made = { kind: 'contractCall' as const, amount: 0n, ...call, signature, feeCap: 10n ** 16n }
      const asked = await requestUnder(office, take, { path: PURSE, made, unsigned, own })
      return {
        asked,
        send: async () => {
          const { raw, txid } = await signedBy(office, asked)
          assert.equal(await anvil.network.sendRawTransaction({ serializedTransaction: `0x${toHex(raw)}` }), txid)
          assert.equal((await anvil.network.waitForTransactionReceipt({ hash: txid as Hex })).status, 'success')
        },
      }
    }
    const pulling = (amounts: bigint[]) => {
      const pulls = amounts.flatMap((amount, i) => (amount > 0n ? [{ source: deposits[i]!, amount }] : []))
      return { to: contract, data: encodeCollect({ token: token.address, pulls, isWhole: true }) }
    }

    const { contract: deployer, data } = sweeper.deploymentOf(target)
    await (await calling({ call: { to: deployer, data } })).send()
    assert.ok(sweeper.isCode(await codeAt(contract as Address), target))

    // Another delegate is refused by the signers, and so is an authorization of one address that a transaction of no standing order would carry.
    await refuses(office, (await authorized(DEPOSITS[0]!, 0n, OTHER_ADDRESS)).asked, 'c5', /not the sweeper/)
    const carries = []
    for (const path of DEPOSITS) carries.push(await (await authorized(path, 0n, contract)).sign())
    await refuses(office, (await calling({ call: pulling([100n, 101n, 50n]), carries })).asked, 'c5', /nothing shows/)
    // One account, one nonce: nothing else is signed with it, as its end would be.
    await refuses(office, (await authorized(DEPOSITS[0]!, 0n, null)).asked, 'c10', /bound to order/)
    await (await calling({ call: pulling([100n, 101n, 50n]), carries, own: DEPOSITS })).send()
    assert.deepEqual(await Promise.all([...deposits, target, contract, purse].map(token.balanceOf)), [0n, 0n, 52n, 251n, 0n, 0n])
    for (const address of deposits) {
      assert.deepEqual(await codeAt(address), codeDelegatingTo(target))
      assert.equal(await anvil.network.getBalance({ address }), 0n, 'no coin was ever there')
    }

    // A later sweep needs no further authorization, and one more authorization ends it all.
    await (await calling({ call: pulling([0n, 0n, 52n]) })).send()
    const ends = await (await authorized(DEPOSITS[0]!, 1n, null)).sign()
    await (await calling({ call: { to: contract, data: new Uint8Array(0) }, carries: [ends], own: [DEPOSITS[0]!] })).send()
    assert.equal((await codeAt(deposits[0]!)).length, 0)
    assert.equal(await token.balanceOf(target), 303n)
  })
})

const countOf = (maxCount: bigint): StandingOrderIntent['limits'] => [
  { each: 'rule', lengthMs: 86_400_000n, amounts: [], maxTokens: null, maxCount, maxCents: null },
]

type Made = Partial<AuthorizationIntent> | Partial<ContractCallIntent>
type Under = { path: bigint[]; made: Made; unsigned: Uint8Array; own?: bigint[][] }

/** What a server asks signers for under a standing order, with everything in a log that they have witnessed. */
async function requestUnder(office: Office, standing: StandingOrderIntent, { path, made, unsigned, own = [] }: Under): Promise<Asked> {
  const { organisation, key } = founded
  const salt = office.log.checkpoint.size
  const common = { fingerprint: organisation.fingerprint, policy: organisation.policy, key, initiator: ann, nowMs: office.time.nowMs }
  const draft = draftOf({ ...common, asset: COIN, amount: 0n, path, salt })
  const { memo: _, screening: __, ...rest } = draft.intent
  const intent = { ...rest, ...made, initiator: standing.id } as unknown as AuthorizationIntent | ContractCallIntent
  const { request } = requestOf({ key, draft: { ...draft, intent }, approvals: [], log: office.log, salt, unsigned })
  await cosignAll(office, office.log)
  return { ...request, own: own.map((place) => ({ address: at(place), keyId: key.keyId, path: place })), standingOrder: intentHash(standing) }
}

/** What two signers make of a request, as the network takes it. */
async function signedBy(office: Office, asked: Asked): Promise<{ raw: Uint8Array; txid: string }> {
  const outcomes = await runSession(office.calls, asked)
  const { signatures } = decode(signatureResultShape, resultOf(outcomes, 1))
  return codec.attach(
    asked.unsigned,
    signatures.map(({ r, s, recovery }) => ({ r, s, recovery: Number(recovery) })),
  )
}
