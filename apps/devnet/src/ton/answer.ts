import { fromHex } from '@holdfast/encoding'
import { known } from '@holdfast/units'
import { Address, beginCell, Cell, external, loadMessage, storeMessage } from '@ton/core'
import { type Block, type EmulatedChain, type Executed, Refused } from './chain.ts'
import { readStack, SHARD, tellHeader, tellId, tellStack, tellTransaction } from './tell.ts'

export type Asked = Record<string, unknown>

/** Nobody asks for more transactions at once. */
const COUNT_MAX = 1_024
const NO_HASH = Buffer.alloc(32).toString('base64')

/** The methods of toncenter's second interface that a client uses, answered from the emulated chain. */
export function answersOf(chain: EmulatedChain): (method: string, asked: Asked) => Promise<unknown> {
  const blockAt = ({ workchain, seqno }: Asked): Block => {
    const block = chain.block(Number(seqno))
    if (!block || (Number(workchain) !== -1 && Number(workchain) !== 0)) throw new Refused('LITE_SERVER_NOTREADY: seqno not in db')
    return block
  }
  const blockTransactions = (asked: Asked) => {
    const block = blockAt(asked)
    const after = asked.after_lt === undefined ? undefined : [String(asked.after_lt), hashHex(asked.after_hash)]
    const all = Number(asked.workchain) === 0 ? block.executed.toSorted(byAccount) : []
    const from = after ? all.findIndex((each) => String(each.lt) === after[0] && each.account.slice(2) === after[1]) + 1 : 0
    if (after && from === 0) throw new Refused('LITE_SERVER_UNKNOWN: no such transaction in the block')
    const count = Math.min(Number(asked.count ?? 40), COUNT_MAX)
    const transactions = all.slice(from, from + count)
    return { block, count, transactions, incomplete: from + count < all.length }
  }
  const methods: Record<string, (asked: Asked) => unknown> = {
    getMasterchainInfo: () => ({
      '@type': 'blocks.masterchainInfo',
      last: tellId(chain.head(), -1),
      state_root_hash: NO_HASH,
      init: tellId(known(chain.block(0), 'block 0'), -1),
    }),
    shards: (asked) => ({ '@type': 'blocks.shards', shards: [tellId(blockAt({ ...asked, workchain: -1 }), 0)] }),
    lookupBlock: (asked) => {
      const block = asked.lt === undefined ? chain.block(Number(asked.seqno)) : chain.blockByLt(BigInt(String(asked.lt)))
      if (!block || String(asked.shard) !== SHARD) throw new Refused('LITE_SERVER_NOTREADY: block is not applied')
      return tellId(block, Number(asked.workchain))
    },
    getBlockHeader: (asked) => {
      const block = blockAt(asked)
      if (block.height === 0) throw new Refused('LITE_SERVER_UNKNOWN: the zero state has no header')
      return tellHeader(block, known(chain.block(block.height - 1), `block ${block.height - 1}`), Number(asked.workchain), chain.globalId)
    },
    getBlockTransactions: (asked) => {
      const { block, count, transactions, incomplete } = blockTransactions(asked)
      const told = transactions.map(({ account, lt, hash }) => ({
        '@type': 'blocks.shortTxId',
        mode: 135,
        account,
        lt: String(lt),
        hash: Buffer.from(fromHex(hash)).toString('base64'),
      }))
      return { '@type': 'blocks.transactions', id: tellId(block, Number(asked.workchain)), req_count: count, incomplete, transactions: told }
    },
    getBlockTransactionsExt: (asked) => {
      const { block, count, transactions, incomplete } = blockTransactions(asked)
      const told = transactions.map(tellTransaction)
      return { '@type': 'blocks.transactionsExt', id: tellId(block, Number(asked.workchain)), req_count: count, incomplete, transactions: told }
    },
    getAddressInformation: (asked) => tellAccount(chain, Address.parse(String(asked.address))),
    getTransactions: (asked) => historyOf(chain, asked).map(tellTransaction),
    runGetMethod: (asked) => runGetMethod(chain, asked),
    sendBoc: async ({ boc }) => {
      const cell = Cell.fromBase64(String(boc))
      if (loadMessage(cell.beginParse()).info.type !== 'external-in') throw new Refused('LITE_SERVER_UNKNOWN: not a message from outside')
      await chain.take(cell)
      return { '@type': 'ok' }
    },
    estimateFee: (asked) => estimateFee(chain, asked),
    tryLocateResultTx: (asked) => {
      const found = historyAt(chain, asked.destination).find(({ transaction }) => isMessage(transaction.inMessage, asked))
      if (!found) throw new Refused('LITE_SERVER_UNKNOWN: cannot locate transaction')
      return tellTransaction(found)
    },
    tryLocateSourceTx: (asked) => {
      const found = historyAt(chain, asked.source).find(({ transaction }) => transaction.outMessages.values().some((each) => isMessage(each, asked)))
      if (!found) throw new Refused('LITE_SERVER_UNKNOWN: cannot locate transaction')
      return tellTransaction(found)
    },
  }
  return async (method, asked) => {
    const act = Object.hasOwn(methods, method) ? methods[method] : undefined
    if (!act) throw new Refused(`the emulator has no method ${method}`)
    return act(asked)
  }
}

const byAccount = (a: Executed, b: Executed) => (a.account < b.account ? -1 : a.account > b.account ? 1 : a.lt < b.lt ? -1 : 1)
const historyAt = (chain: EmulatedChain, address: unknown) => chain.history(Address.parse(String(address)).toRawString())

type SomeMessage = Executed['transaction']['inMessage']
function isMessage(message: SomeMessage, { source, destination, created_lt }: Asked): boolean {
  if (message?.info.type !== 'internal') return false
  const { src, dest, createdLt } = message.info
  return String(createdLt) === String(created_lt) && src.equals(Address.parse(String(source))) && dest.equals(Address.parse(String(destination)))
}

/** Newest first, from the transaction that `lt` and `hash` name. */
function historyOf(chain: EmulatedChain, { address, lt, hash, limit = 10, to_lt }: Asked): Executed[] {
  const all = historyAt(chain, address).toReversed()
  const from = lt === undefined ? 0 : all.findIndex((each) => String(each.lt) === String(lt) && (hash === undefined || each.hash === hashHex(hash)))
  if (from < 0) throw new Refused('LITE_SERVER_UNKNOWN: cannot find block by lt and hash')
  const chosen = all.slice(from).filter((each) => to_lt === undefined || each.lt > BigInt(String(to_lt)))
  return chosen.slice(0, Math.min(Number(limit), COUNT_MAX))
}

async function tellAccount(chain: EmulatedChain, address: Address): Promise<object> {
  const { account } = await chain.account(address)
  const state = account?.storage.state
  const last = chain.history(address.toRawString()).at(-1)
  return {
    '@type': 'raw.fullAccountState',
    balance: String(account?.storage.balance.coins ?? 0n),
    extra_currencies: [],
    state: state?.type === 'active' ? 'active' : state?.type === 'frozen' ? 'frozen' : 'uninitialized',
    code: state?.type === 'active' && state.state.code ? state.state.code.toBoc().toString('base64') : '',
    data: state?.type === 'active' && state.state.data ? state.state.data.toBoc().toString('base64') : '',
    last_transaction_id: {
      '@type': 'internal.transactionId',
      lt: String(last?.lt ?? 0n),
      hash: last ? Buffer.from(fromHex(last.hash)).toString('base64') : NO_HASH,
    },
    block_id: tellId(chain.head(), -1),
    frozen_hash: '',
    sync_utime: chain.head().timestampS,
  }
}

async function runGetMethod(chain: EmulatedChain, { address, method, stack }: Asked): Promise<object> {
  const given = (stack as [string, string][]).map(readStack)
  try {
    const { gasUsed, stack: left, exitCode } = await chain.getMethod(Address.parse(String(address)), method as string, given)
    return { '@type': 'smc.runResult', gas_used: Number(gasUsed), stack: left.map(tellStack), exit_code: exitCode }
  } catch (cause) {
    const { exitCode } = cause as { exitCode?: number }
    // An account without code ends as on the chain.
    return { '@type': 'smc.runResult', gas_used: 0, stack: [], exit_code: exitCode ?? -13 }
  }
}

async function estimateFee(chain: EmulatedChain, { address, body, init_code, init_data }: Asked): Promise<object> {
  const init = init_code && init_data ? { code: Cell.fromBase64(String(init_code)), data: Cell.fromBase64(String(init_data)) } : undefined
  const message = external({ to: Address.parse(String(address)), ...(init ? { init } : {}), body: Cell.fromBase64(String(body)) })
  const [first] = await chain.estimate(beginCell().store(storeMessage(message)).endCell())
  const { totalFees, description } = known(first, 'the first transaction of a trial')
  const storage = description.type === 'generic' ? (description.storagePhase?.storageFeesCollected ?? 0n) : 0n
  const gas = description.type === 'generic' && description.computePhase.type === 'vm' ? description.computePhase.gasFees : 0n
  const action = description.type === 'generic' ? description.actionPhase : undefined
  const inside = totalFees.coins - storage - gas - (action?.totalActionFees ?? 0n)
  const fees = { '@type': 'fees', in_fwd_fee: Number(inside), storage_fee: Number(storage), gas_fee: Number(gas), fwd_fee: Number(action?.totalFwdFees ?? 0n) }
  return { '@type': 'query.fees', source_fees: fees, destination_fees: [] }
}

/** A hash in hexadecimal, which comes so or in base64. */
function hashHex(text: unknown): string {
  const given = String(text)
  return /^[0-9a-fA-F]{64}$/.test(given) ? given.toLowerCase() : Buffer.from(given, 'base64').toString('hex')
}
