import { ChainError } from '@holdfast/chain-core'
import { evmNode } from '@holdfast/chain-evm/node'
import { encodeFunctionCall, parseSignature } from '@holdfast/chain-evm/codec'
import devCollectible from '@holdfast/chain-evm/artifacts/dev-collectible.json' with { type: 'json' }
import devDollar from '@holdfast/chain-evm/artifacts/dev-dollar.json' with { type: 'json' }
import devExchange from '@holdfast/chain-evm/artifacts/dev-exchange.json' with { type: 'json' }
import { AppError } from '@holdfast/contract'
import { toHex } from '@holdfast/encoding'
import { auditAll } from '@holdfast/features/deposit/server'
import { readCursor } from '../../deposit/server/reading/advance.ts'
import { rewind } from '../../deposit/server/reading/rewind.ts'
import { assertConserved } from '@holdfast/ledger'
import type { CallRule } from '@holdfast/policy'
import { nodePorts } from '@holdfast/ports/node'
import { formatAmount, uuidToBytes } from '@holdfast/units'
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { type Abi, type Address, getAddress, type Hex, parseEther } from 'viem'
import { type Anvil, startAnvil } from '../../../packages/chains/evm/testing/anvil.ts'
import { listAlarms } from '../../network/server/halts.ts'
import { broadcastOrder } from '../../transfer/server/settlement/broadcast-order.ts'
import { signOrder } from '../../transfer/server/signing/sign-order.ts'
import { CHAIN } from '../../testing/scripted-chain.ts'
import { approve, balanceOf, ETH, makeWallet, openWorld, orderOf, replace, scan, type Wallet, type World } from '../../testing/test-world.ts'
import * as contract from '../contract.ts'
import { createCall } from './create-call.ts'
import { listAllowances } from './list-allowances.ts'
import { contractCallEndpoints } from './routes.ts'
import { callAs } from '../../testing/call-as.ts'
import { callerOf } from '../../testing/request-key.ts'

/* A real contract on a real network: what a call takes and brings stands in the books as the chain has it. */

const { fetch, timer } = nodePorts
const APPROVE = 'approve(address,uint256)'
const APPROVE_ALL = 'setApprovalForAll(address,bool)'
const SWAP = 'swap(uint256)'
const HUNDRED = 100_000_000n
let world: World
let wallet: Wallet
let anvil: Anvil
let [pays, gets, exchange, listed, unlisted]: Address[] = []

async function deploy(artifact: { abi: unknown; bytecode: string }, ...args: unknown[]): Promise<Address> {
  const hash = await anvil.walletOf(0).deployContract({ abi: artifact.abi as Abi, bytecode: artifact.bytecode as Hex, args })
  return getAddress((await anvil.network.waitForTransactionReceipt({ hash })).contractAddress!)
}

async function mint(token: Address, to: string, artifact: { abi: unknown } = devDollar): Promise<void> {
  const args = artifact === devDollar ? [to, HUNDRED] : [to]
  const hash = await anvil.walletOf(0).writeContract({ address: token, abi: artifact.abi as Abi, functionName: 'mint', args })
  await anvil.network.waitForTransactionReceipt({ hash })
}

before(async () => {
  anvil = await startAnvil()
  ;[pays, gets] = [await deploy(devDollar, 'PAYS'), await deploy(devDollar, 'GETS')]
  exchange = await deploy(devExchange, pays, gets)
  ;[listed, unlisted] = [await deploy(devCollectible), await deploy(devCollectible)]
  await mint(gets!, exchange)
  const coin = { chain: CHAIN, contract: null, symbol: 'ETH', decimals: 18 }
  const token = (contract: string, symbol: string) => ({ chain: CHAIN, contract, symbol, decimals: 6 })
  const rules = (everybody: Uint8Array[]): CallRule[] => {
    // Payments need two of all; these need one, and none but Ben.
    const swaps: CallRule = {
      kind: 'boundedCall',
      id: 'swaps',
      chain: CHAIN,
      payers: null,
      contracts: [pays!, exchange!],
      functions: [APPROVE, SWAP],
      maxValue: ETH,
      maxTokens: 10n ** 24n,
      window: null,
      unlimitedAllowances: false,
      unknownCallData: false,
      initiators: everybody,
      approvers: [everybody[1]!],
      threshold: 1n,
    }
    return [swaps, { ...swaps, id: 'collections', contracts: [listed!, unlisted!], functions: [APPROVE, APPROVE_ALL], unlimitedAllowances: true }]
  }
  world = await openWorld({
    network: {
      assets: [coin, token(pays!, 'PAYS'), token(gets!, 'GETS')],
      collections: [{ chain: CHAIN, contract: `erc721:${listed}`, symbol: 'DEVC', decimals: 0 }],
      node: evmNode({ chain: CHAIN, rpcUrl: anvil.rpcUrl, tokens: [pays!, gets!, `erc721:${listed}`], fetch, timer }),
    },
    rules: (members) => rules(members.map(({ id }) => uuidToBytes(id))),
  })
  wallet = await makeWallet(world)
  await anvil.network.waitForTransactionReceipt({ hash: await anvil.walletOf(0).sendTransaction({ to: wallet.address as Hex, value: parseEther('5') }) })
  await mint(pays!, wallet.address)
  for (const collection of [listed!, listed!, unlisted!]) await mint(collection, wallet.address, devCollectible)
  await anvil.network.mine({ blocks: 3 })
  await scan(world)
})
after(async () => {
  await world?.close()
  await anvil?.stop()
})
afterEach(() => world.db.asSystem(assertConserved))
// Empty blocks make fees fall, and a cap far above the fee is refused.
async function raiseFees(): Promise<void> {
  await anvil.network.setNextBlockBaseFeePerGas({ baseFeePerGas: 1_000_000_000n })
  await anvil.network.mine({ blocks: 1 })
}
beforeEach(raiseFees)

/** Code that sends half of the coin it gets back to its caller. */
const GIVES_HALF_BACK = '0x600060006000600060023404335af100'
const newlyWrong = async () => (await auditAll(world.context)).filter((each) => each.includes(wallet.address))
const write = (signature: string, ...values: (bigint | string | boolean)[]) => `0x${toHex(encodeFunctionCall(parseSignature(signature), values))}`

function inputOf(to: string, signature: string, data: string, amount = '0') {
  return {
    request_id: `request-${toHex(world.context.ports.random.bytes(8))}`,
    sub_wallet_id: wallet.subWalletId,
    chain: CHAIN,
    interactive_contract: to,
    amount,
    input_data: data,
    function: signature,
    max_fee: '0.001',
    dapp_name: 'Exchange',
    dapp_url: 'https://exchange.example',
    dapp_img: '',
    remark: '',
    expire_hours: 1,
    ack: true,
  }
}

function call(...asked: Parameters<typeof inputOf>) {
  const input = inputOf(...asked)
  const requesterId = world.members[0].id
  return createCall(world.context, { ...callerOf(world.orgId, requesterId, input), requesterId }, input)
}

/** Has a call approved, signed, sent and read until it is final. */
async function carryOut({ order }: Awaited<ReturnType<typeof call>>, beforeItIsSent = async () => {}) {
  await send(order.row.id, order.row.id, beforeItIsSent)
  await anvil.network.mine({ blocks: 3 })
  await scan(world)
  return orderOf(world, order.row.id)
}

/** Has an order approved by whom its rule names, signed, and what it allows sent. */
async function send(id: string, allowing: string, beforeItIsSent = async () => {}): Promise<void> {
  const [, ben, cleo] = world.members
  await assert.rejects(approve(world, allowing, cleo), /may not approve/)
  await approve(world, allowing, ben)
  assert.equal(await signOrder(world.context, world.orgId, allowing), 'signed')
  await beforeItIsSent()
  assert.equal(await broadcastOrder(world.context, world.orgId, id), true)
}

const allowances = (asked: { subWalletId?: string; walletId?: string } = { subWalletId: wallet.subWalletId }) =>
  listAllowances(world.context, world.orgId, { ...asked, nowMs: world.context.ports.clock.nowMs(), fiat: 'USD', language: 'en_US' })

const refusedAs = (name: string, reason: RegExp) => (error: unknown) =>
  error instanceof AppError && error.errorName === name && reason.test(String(error.details.reason))

describe('a call of a contract on a real network', () => {
  it('that would fail, that is a transfer, or that no rule covers, is refused with the reason before it is proposed', async () => {
    await assert.rejects(call(exchange!, SWAP, write(SWAP, 0n)), refusedAs('build_failed', /nothing to swap/))
    await assert.rejects(
      call(pays!, 'transfer(address,uint256)', write('transfer(address,uint256)', exchange!, 1n)),
      refusedAs('build_failed', /order it as a transfer/),
    )
    await assert.rejects(call(pays!, APPROVE, write(APPROVE, exchange!, (1n << 256n) - 1n)), refusedAs('strategy_blocked', /unlimited allowance/))
    await assert.rejects(call(gets!, APPROVE, write(APPROVE, exchange!, 1n)), refusedAs('strategy_blocked', /No rule/))
    await assert.rejects(call(exchange!, SWAP, write(SWAP, 1n), '2'), refusedAs('build_failed', /allowance|ERC20|fb8f41b2/))
  })

  it('is shown with what it would change, and books what the chain says it took and brought', async () => {
    const allowance = await call(pays!, APPROVE, write(APPROVE, exchange!, HUNDRED))
    assert.deepEqual(allowance.simulation, { fails: null, changes: [], risk: 'warn' })
    assert.match(allowance.decoded.grants.join(), /may take up to 100 PAYS/)
    const allowed = await carryOut(allowance)
    assert.equal(allowed.state, 'completed')
    assert.equal((await balanceOf(world, wallet, pays!)).available, HUNDRED, 'an allowance takes nothing by itself')

    const before = await balanceOf(world, wallet)
    const swap = await call(exchange!, SWAP, write(SWAP, 30_000_000n), '0.5')
    assert.deepEqual(swap.simulation.changes?.map(({ symbol, delta }) => `${delta} ${symbol}`).toSorted(), ['-0.5 ETH', '-30 PAYS', '30 GETS'].toSorted())
    const swapped = await carryOut(swap)
    assert.equal(swapped.state, 'completed')
    assert.deepEqual(await balanceOf(world, wallet, pays!), { available: 70_000_000n, held: 0n })
    assert.deepEqual(await balanceOf(world, wallet, gets!), { available: 30_000_000n, held: 0n })
    assert.deepEqual(await balanceOf(world, wallet), { available: before.available - ETH / 2n - swapped.row.fee_paid!, held: 0n })
    assert.deepEqual(
      (await auditAll(world.context)).filter((each) => each.includes(wallet.address)),
      [],
      'the books are the chain',
    )
  })

  it('is read by whoever may read the wallet, with what it allows to whom, and taken back by who asked alone while it waits', async () => {
    const [ann, ben] = world.members
    const as = (personId: string) => ({ orgId: world.orgId, personId })
    const endpoints = contractCallEndpoints(world.context, { demandSecondFactorWhereSet: async () => {} })
    const asked = inputOf(pays!, APPROVE, write(APPROVE, exchange!, 5n))
    const { trans_id: id, idempotent } = await callAs(endpoints, contract.createCall, asked, as(ann.id))
    const again = await callAs(endpoints, contract.createCall, asked, as(ann.id))
    assert.deepEqual([idempotent, again.idempotent, again.trans_id], [false, true, id])
    const shown = await callAs(endpoints, contract.getCall, { id }, as(ben.id))
    assert.deepEqual(
      [shown.interactive_contract, shown.input_data, shown.trans_type, shown.main_chain_symbol, shown.dapp_name, shown.dapp_url],
      [pays, asked.input_data, '0', 'ETH', 'Exchange', 'https://exchange.example'],
    )
    assert.match(shown.decoded.grants.join(), /may take up to 0\.000005 PAYS/)
    const takeBack = (personId: string) => callAs(endpoints, contract.cancelCall, { trans_id: id, remark: 'not now' }, as(personId))
    await assert.rejects(takeBack(ben.id), AppError)
    assert.equal((await orderOf(world, id)).state, 'approving')
    assert.equal((await takeBack(ann.id)).sub_status, 'initiator_cancelled')
    assert.equal((await orderOf(world, id)).state, 'cancelled')
    await assert.rejects(callAs(endpoints, contract.getCall, { id: wallet.walletId }, as(ann.id)), AppError)
  })

  it('that waits is called once by bytes that pay a higher fee, and not at all where it is cancelled, as those allow who may approve calls', async () => {
    const before = await balanceOf(world, wallet)
    await anvil.network.setAutomine(false)
    const swap = (await call(exchange!, SWAP, write(SWAP, 10_000_000n), '0.1')).order.row.id
    const another = (await call(exchange!, SWAP, write(SWAP, 20_000_000n), '0.2')).order.row.id
    await send(swap, swap)
    await scan(world)
    assert.equal((await replace(world, swap, { maxFee: '0.001' })).needsApproval, false)
    assert.equal(await signOrder(world.context, world.orgId, swap), 'signed')
    await broadcastOrder(world.context, world.orgId, swap)
    await send(swap, (await replace(world, swap, { maxFee: '0.01' })).order.row.id)
    await send(another, another)
    await scan(world)
    await send(another, (await replace(world, another, { cancel: true, maxFee: '0.01' })).order.row.id)
    await anvil.network.mine({ blocks: 3 })
    await anvil.network.setAutomine(true)
    await scan(world)
    const [swapped, cancelled] = [await orderOf(world, swap), await orderOf(world, another)]
    assert.deepEqual([swapped.state, swapped.row.txid, cancelled.state], ['completed', swapped.transactions[2]!.txid, 'replaced'])
    assert.deepEqual(await balanceOf(world, wallet, pays!), { available: 60_000_000n, held: 0n })
    const fees = swapped.row.fee_paid! + cancelled.row.fee_paid!
    assert.deepEqual(await balanceOf(world, wallet), { available: before.available - ETH / 10n - fees, held: 0n })
    assert.deepEqual(
      (await auditAll(world.context)).filter((each) => each.includes(wallet.address)),
      [],
    )
  })

  it('that sends coin back is booked with both ways, and what it brought is found by its transaction', async () => {
    const code = await anvil.network.getCode({ address: exchange! })
    await anvil.network.setCode({ address: exchange!, bytecode: GIVES_HALF_BACK })
    const before = await balanceOf(world, wallet)
    const swapped = await carryOut(await call(exchange!, SWAP, write(SWAP, 1n), '0.5'))
    await anvil.network.setCode({ address: exchange!, bytecode: code! })
    assert.deepEqual(await balanceOf(world, wallet), { available: before.available - ETH / 4n - swapped.row.fee_paid!, held: 0n })
    const brought = await world.db.asOrganisation(world.orgId, (tx) =>
      tx.selectFrom('deposit').select(['amount', 'found_in', 'state']).where('txid', '=', swapped.row.txid!).execute(),
    )
    assert.deepEqual(brought, [{ amount: ETH / 4n, found_in: 'inside', state: 'credited' }])
    assert.deepEqual(await newlyWrong(), [])
  })

  it('that lets somebody take tokens is followed: what is taken leaves the ledger, people are told who took it, and a reorganisation takes that back', async () => {
    const taker = anvil.walletOf(1)
    const before = await balanceOf(world, wallet, pays!)
    await carryOut(await call(pays!, APPROVE, write(APPROVE, taker.account.address, 9_000_000n)))
    const own = { address: pays!, abi: devDollar.abi as Abi, functionName: 'transferFrom' }
    const take = async (amount: bigint) => {
      const hash = await taker.writeContract({ ...own, args: [wallet.address, taker.account.address, amount] })
      await anvil.network.waitForTransactionReceipt({ hash })
    }
    await take(4_000_000n)
    assert.deepEqual(await newlyWrong(), [])
    await anvil.network.mine({ blocks: 3 })
    await scan(world)
    assert.deepEqual(await balanceOf(world, wallet, pays!), { available: before.available - 4_000_000n, held: 0n })
    const told = await world.db.asOrganisation(world.orgId, (tx) => listAlarms(tx))
    assert.deepEqual(
      told.map(({ cause, contract, place }) => [cause, contract, place]),
      [['pulled', pays, wallet.address]],
    )
    assert.match(told[0]!.reason, new RegExp(`^${taker.account.address} took 4 PAYS .*; it may take 5 PAYS more$`))
    assert.deepEqual(await newlyWrong(), [], 'the books are the chain')
    await rewind(world.context, world.network, (await readCursor(world.context, CHAIN))!)
    await scan(world)
    assert.deepEqual(await newlyWrong(), [])
  })

  it('that fails on the chain costs its fee and nothing else', async () => {
    const [before, had] = [await balanceOf(world, wallet), await balanceOf(world, wallet, pays!)]
    const swap = await call(exchange!, SWAP, write(SWAP, 50_000_000n), '0.5')
    const { state, row } = await carryOut(swap, () => anvil.network.setCode({ address: exchange!, bytecode: '0xfe' }))
    assert.deepEqual([state, row.sub_status], ['failed', 'reverted'])
    assert.deepEqual(await balanceOf(world, wallet), { available: before.available - row.fee_paid!, held: 0n })
    assert.deepEqual(await balanceOf(world, wallet, pays!), had)
  })

  it('that let somebody take tokens is listed while the chain says so, with the call that ends it; what cannot be told is not left out', async () => {
    const taker = anvil.walletOf(1).account.address
    const of = async (spender: string) => (await allowances()).list.find((each) => each.spender === spender)
    const left = await anvil.network.readContract({ address: pays!, abi: devDollar.abi as Abi, functionName: 'allowance', args: [wallet.address, taker] })
    const { allowance, at_risk, unlimited, status, symbol, revoke, order_id } = (await of(taker))!
    assert.deepEqual([allowance, at_risk, unlimited, status, symbol], [formatAmount(left as bigint, 6), formatAmount(left as bigint, 6), false, 'open', 'PAYS'])
    assert.equal((await orderOf(world, order_id!)).row.address_to, pays)
    const { list } = await allowances()
    assert.equal(new Set(list.map((each) => each.spender)).size, list.length, 'one line for each right')
    const { node } = world.context.networks.require(CHAIN)
    const { contracts } = node
    node.contracts = { ...contracts!, allowance: async () => Promise.reject(new ChainError('the node is away')) }
    assert.deepEqual([(await of(taker))!.status, (await of(taker))!.allowance], ['unknown', null])
    node.contracts = contracts
    await carryOut(await call(pays!, revoke!.function, revoke!.input_data))
    assert.equal(await of(taker), undefined)
    assert.ok(await of(exchange!))
    for (const asked of [{ subWalletId: world.orgId }, { walletId: world.orgId }, {}])
      await assert.rejects(allowances(asked), { errorName: 'wallet_not_found' })
    assert.deepEqual(await allowances({ walletId: wallet.walletId }), await allowances(), 'all sub-wallets of the wallet')
  })

  it('that let somebody take single tokens, or all of a collection, is listed with what is at risk, and ends by the call that is given', async () => {
    const nowMs = world.context.ports.clock.nowMs()
    const price = { chain: CHAIN, contract: pays!, currency: 'usd', price: 2n * 10n ** 24n, quoted_at: nowMs, source: 'Test' }
    await world.db.asSystem((tx) => tx.insertInto('asset_price').values(price).execute())
    const [one, other] = [anvil.walletOf(2).account.address, anvil.walletOf(3).account.address]
    const before = await allowances()
    const own = (await balanceOf(world, wallet, pays!)).available
    assert.deepEqual([before.usd_at_risk, before.usd_partial], [formatAmount(own * 2n, 6), false], 'the exchange may take all there is')

    const given = await carryOut(await call(listed!, APPROVE, write(APPROVE, one, 1n)))
    await carryOut(await call(unlisted!, APPROVE, write(APPROVE, one, 1n)))
    await carryOut(await call(listed!, APPROVE_ALL, write(APPROVE_ALL, other, true)))
    // Who may take all of a collection may also let others take of it, and no call of ours says so.
    const byOther = { address: listed!, abi: devCollectible.abi as Abi, functionName: 'approve', args: [one, 2n] }
    await anvil.network.waitForTransactionReceipt({ hash: await anvil.walletOf(3).writeContract(byOther) })

    const { list, usd_at_risk, usd_partial } = await allowances()
    const rows = () => list.filter(({ contract_address: at }) => at === listed || at === unlisted)
    const told = rows().map((row) => [row.symbol, row.token_id, row.spender, row.at_risk, row.usd, row.unlimited, row.order_id === given.row.id])
    assert.deepEqual(
      new Set(told.map((each) => JSON.stringify(each))),
      new Set(
        [
          ['DEVC #1', '1', one, '1', null, false, true],
          ['DEVC #2', '2', one, '1', null, false, false],
          ['DEVC', null, other, '2', null, true, false],
          ['', '1', one, null, null, false, false],
        ].map((each) => JSON.stringify(each)),
      ),
    )
    assert.deepEqual([usd_at_risk, usd_partial, list[0]!.symbol], [before.usd_at_risk, true, 'PAYS'], 'what is worth most stands first')
    for (const { contract_address: at, revoke } of rows()) {
      await raiseFees()
      await carryOut(await call(at, revoke!.function, revoke!.input_data))
    }
    assert.deepEqual(await allowances(), before)
  })
})
