import { fromHex } from '@holdfast/encoding'
import { Address, beginCell, Cell, type Message, storeMessage, storeStateInit, type TupleItem } from '@ton/core'
import { type Block, digestOf, type Executed } from './chain.ts'

// How toncenter's second interface writes things in JSON: hashes in base64, amounts and logical times as text.

export const SHARD = '-9223372036854775808'
const base64 = (hex: string) => Buffer.from(fromHex(hex)).toString('base64')
const boc = (cell: Cell) => cell.toBoc().toString('base64')

export function tellId({ height, id }: Block, workchain: number): object {
  const root = workchain === -1 ? id : digestOf(`shard ${id}`)
  return { '@type': 'ton.blockIdExt', workchain, shard: SHARD, seqno: height, root_hash: base64(root), file_hash: base64(digestOf(`file ${root}`)) }
}

export function tellHeader(block: Block, parent: Block, workchain: number, globalId: number): object {
  return {
    '@type': 'blocks.header',
    id: tellId(block, workchain),
    global_id: globalId,
    version: 0,
    after_merge: false,
    after_split: false,
    before_split: false,
    want_merge: false,
    want_split: false,
    validator_list_hash_short: 0,
    catchain_seqno: 0,
    min_ref_mc_seqno: parent.height,
    is_key_block: false,
    prev_key_block_seqno: 0,
    start_lt: String(parent.endLt + 1n),
    end_lt: String(block.endLt),
    gen_utime: block.timestampS,
    prev_blocks: [tellId(parent, workchain)],
  }
}

export function tellTransaction({ transaction, account, lt, hash }: Executed): object {
  const { totalFees, description, inMessage, outMessages, now } = transaction
  const storage = description.type === 'generic' ? (description.storagePhase?.storageFeesCollected ?? 0n) : 0n
  return {
    '@type': 'raw.transaction',
    address: { '@type': 'accountAddress', account_address: Address.parse(account).toString() },
    account,
    utime: now,
    data: boc(transaction.raw),
    transaction_id: { '@type': 'internal.transactionId', lt: String(lt), hash: base64(hash) },
    fee: String(totalFees.coins),
    storage_fee: String(storage),
    other_fee: String(totalFees.coins - storage),
    ...(inMessage ? { in_msg: tellMessage(inMessage) } : {}),
    out_msgs: outMessages.values().map(tellMessage),
  }
}

function tellMessage(message: Message): object {
  const { info, body, init } = message
  const internal = info.type === 'internal' ? info : undefined
  return {
    '@type': 'raw.message',
    hash: beginCell().store(storeMessage(message)).endCell().hash().toString('base64'),
    source: info.src?.toString() ?? '',
    destination: info.dest?.toString() ?? '',
    value: String(internal?.value.coins ?? 0n),
    fwd_fee: String(internal?.forwardFee ?? 0n),
    ihr_fee: String(internal?.ihrFee ?? 0n),
    created_lt: String(internal?.createdLt ?? 0n),
    body_hash: body.hash().toString('base64'),
    msg_data: { '@type': 'msg.dataRaw', body: boc(body), init_state: init ? boc(beginCell().store(storeStateInit(init)).endCell()) : '' },
    message: '',
  }
}

export function tellStack(item: TupleItem): unknown[] {
  if (item.type === 'int') return ['num', item.value < 0n ? `-0x${(-item.value).toString(16)}` : `0x${item.value.toString(16)}`]
  if (item.type === 'cell' || item.type === 'slice' || item.type === 'builder') return ['cell', { bytes: boc(item.cell), object: {} }]
  if (item.type === 'tuple') return ['tuple', { '@type': 'tvm.tuple', elements: item.items.map(tellEntry) }]
  return ['null']
}

function tellEntry(item: TupleItem): object {
  if (item.type === 'int') return { '@type': 'tvm.stackEntryNumber', number: { '@type': 'tvm.numberDecimal', number: String(item.value) } }
  if (item.type === 'tuple') return { '@type': 'tvm.stackEntryTuple', tuple: { '@type': 'tvm.tuple', elements: item.items.map(tellEntry) } }
  if (item.type === 'cell' || item.type === 'slice' || item.type === 'builder') {
    return { '@type': 'tvm.stackEntryCell', cell: { '@type': 'tvm.cell', bytes: boc(item.cell) } }
  }
  return { '@type': 'tvm.stackEntryList', list: { '@type': 'tvm.list', elements: [] } }
}

export function readStack([kind, value]: [string, string]): TupleItem {
  if (kind === 'num') return { type: 'int', value: value.startsWith('-') ? -BigInt(value.slice(1)) : BigInt(value) }
  if (kind === 'tvm.Cell') return { type: 'cell', cell: Cell.fromBase64(value) }
  if (kind === 'tvm.Slice') return { type: 'slice', cell: Cell.fromBase64(value) }
  if (kind === 'null') return { type: 'null' }
  throw new Error(`the emulator takes no ${kind} on the stack`)
}
