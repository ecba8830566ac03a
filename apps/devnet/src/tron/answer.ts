import { addressBytes, encodeMessage } from '@holdfast/chain-tron/codec'
import { fromHex, toHex } from '@holdfast/encoding'
import { at, known } from '@holdfast/units'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { RESOURCES } from '@holdfast/chain-core'
import { delegatableOf, PARAMETERS } from './accounts.ts'
import type { Block, EmulatedChain } from './chain.ts'
import { weigh } from './check-sent.ts'
import { TransactionRefused } from './transaction-refused.ts'
import { KINDS, makeRawData, parseBroadcast, parseSent, type Sent } from './messages.ts'
import { unstakesLeft, withdrawableOf } from './stake.ts'
import { bytesOfHex, messageHex, tellAccount, tellBlock, tellDelegation, tellPermission, tellReceipt, tellResources, tellSent } from './tell.ts'

/** A question's fields, by the names that TRON's nodes give them. */
export type Asked = Record<string, unknown>
type Answers = Record<string, (asked: Asked) => unknown>

const DRY_ENERGY = 100_000_000n
const BLOCKS_MAX = 100

/** The questions that the emulator answers, by the last part of their path; `solid` says of what is final alone. */
export function answersOf(chain: EmulatedChain, solidBlocks: number): (method: string, asked: Asked, solid: boolean) => Promise<unknown> {
  const top = (solid: boolean): Block => (solid ? known(chain.block(Math.max(0, chain.head().number - solidBlocks)), 'a solid block') : chain.head())
  const answers = (solid: boolean): Answers => ({
    ...blockAnswers(chain, () => top(solid)),
    ...accountAnswers(chain),
    ...callAnswers(chain),
    ...(solid ? {} : sendAnswers(chain)),
  })
  const [latest, final] = [answers(false), answers(true)]
  return async (method, asked, solid) => {
    const table = solid ? final : latest
    const answer = Object.hasOwn(table, method) ? table[method] : undefined
    if (!answer) throw new UnknownMethodError(method)
    return answer(asked)
  }
}

export class UnknownMethodError extends Error {
  override name = 'UnknownMethodError'
}

function blockAnswers(chain: EmulatedChain, top: () => Block): Answers {
  const blockAt = (number: unknown) => {
    const height = Number(number)
    return Number.isInteger(height) && height >= 0 && height <= top().number ? chain.block(height) : undefined
  }
  const byId = (id: unknown) => {
    const block = blockAt(Number.parseInt(String(id).slice(0, 16), 16))
    return block?.id === id ? block : undefined
  }
  const holding = (txid: unknown) => {
    const block = blockAt(chain.heightOf(String(txid).toLowerCase()))
    return block && { block, index: block.sent.findIndex((each) => each.txid === String(txid).toLowerCase()) }
  }
  return {
    getnowblock: () => tellBlock(top()),
    getblock: ({ id_or_num: which, detail }) => {
      const block = which === undefined || which === '' ? top() : /^\d{1,15}$/.test(String(which)) ? blockAt(which) : byId(which)
      return tellBlock(block, detail === true || detail === 'true')
    },
    getblockbynum: ({ num }) => tellBlock(blockAt(num)),
    getblockbyid: ({ value }) => tellBlock(byId(value)),
    getblockbylimitnext: ({ startNum, endNum }) => {
      const [start, end] = [Number(startNum), Number(endNum)]
      const count = Math.max(0, Math.min(end - start, BLOCKS_MAX))
      return {
        block: Array.from({ length: count }, (_, i) => blockAt(start + i))
          .filter((each) => each !== undefined)
          .map((each) => tellBlock(each)),
      }
    },
    gettransactionbyid: ({ value }) => {
      const found = holding(value)
      return found ? tellSent(at(found.block.sent, found.index), found.block.receipts[found.index]) : {}
    },
    gettransactioninfobyid: ({ value }) => {
      const found = holding(value)
      return found ? tellReceipt(found.block, found.index) : {}
    },
    gettransactioninfobyblocknum: ({ num }) => {
      const block = blockAt(num)
      return block ? block.receipts.map((_, i) => tellReceipt(block, i)) : []
    },
  }
}

function accountAnswers(chain: EmulatedChain): Answers {
  const accountOf = (address: unknown) => chain.world().accounts.get(hexAddress(address))
  const nowMs = () => chain.head().timestampMs
  return {
    getaccount: async ({ address }) => {
      const account = accountOf(address)
      return account ? tellAccount(account, await chain.world().tvm.balance(account.address)) : {}
    },
    getaccountresource: ({ address }) => {
      const account = accountOf(address)
      return account ? tellResources(account, chain.head().timestampMs) : {}
    },
    getcontract: ({ value }) => {
      const contract = chain.world().contracts.get(hexAddress(value))
      return contract ? { contract_address: contract.address, origin_address: contract.origin, name: contract.name, bytecode: contract.bytecode, abi: {} } : {}
    },
    getdelegatedresourcev2: ({ fromAddress, toAddress }) => {
      const found = chain.world().delegations.get(`${hexAddress(fromAddress)}>${hexAddress(toAddress)}`)
      return found ? { delegatedResource: tellDelegation(found) } : {}
    },
    getdelegatedresourceaccountindexv2: ({ value }) => {
      const account = hexAddress(value)
      const all = [...chain.world().delegations.values()]
      const given = all.filter(({ from }) => from === account).map(({ to }) => to)
      const received = all.filter(({ to }) => to === account).map(({ from }) => from)
      return { account, ...(received.length > 0 ? { fromAccounts: received } : {}), ...(given.length > 0 ? { toAccounts: given } : {}) }
    },
    getcandelegatedmaxsize: ({ owner_address: owner, type }) => {
      const [account, resource] = [accountOf(owner), RESOURCES[Number(type ?? 0)]]
      return account && resource ? { max_size: Number(delegatableOf(account, resource, nowMs())) } : {}
    },
    getavailableunfreezecount: ({ owner_address: owner }) => {
      const account = accountOf(owner)
      return account ? { count: unstakesLeft(account, nowMs()) } : {}
    },
    getcanwithdrawunfreezeamount: ({ owner_address: owner, timestamp }) => {
      const account = accountOf(owner)
      return account ? { amount: Number(withdrawableOf(account, Number(timestamp ?? nowMs()))) } : {}
    },
    getchainparameters: () => ({ chainParameter: Object.entries(PARAMETERS).map(([key, value]) => ({ key, value })) }),
    getenergyprices: () => ({ prices: `0:${PARAMETERS.getEnergyFee}` }),
    getbandwidthprices: () => ({ prices: `0:${PARAMETERS.getTransactionFee}` }),
    getnodeinfo: () => ({ configNodeInfo: { codeVersion: 'holdfast emulator, not TRON' }, block: `Num:${chain.head().number},ID:${chain.head().id}` }),
    listnodes: () => ({ nodes: [] }),
  }
}

function callAnswers(chain: EmulatedChain): Answers {
  const dry = async ({ owner_address: owner, contract_address: contract, call_value: value, ...asked }: Asked) => {
    const to = hexAddress(contract)
    if (!chain.world().contracts.has(to)) throw new TransactionRefused('CONTRACT_VALIDATE_ERROR', 'Smart contract is not exist.')
    return chain.world().tvm.callAndForget({ from: hexAddress(owner), to, data: callData(asked), value: BigInt(Number(value ?? 0)), energy: DRY_ENERGY })
  }
  return {
    triggerconstantcontract: async (asked) => {
      const { energy, returned, failure } = await dry(asked)
      const result = { result: true, ...(failure === null ? {} : { message: messageHex(failure === 'revert' ? 'REVERT opcode executed' : failure) }) }
      return { result, energy_used: Number(energy), constant_result: [toHex(returned)], transaction: { ret: [failure === null ? {} : { ret: 'FAILED' }] } }
    },
    estimateenergy: async (asked) => {
      const { energy, failure } = await dry(asked)
      if (failure !== null) return { result: { code: 'CONTRACT_EXE_ERROR', message: messageHex(failure) } }
      return { result: { result: true }, energy_required: Number(energy) }
    },
    triggersmartcontract: (asked) => {
      const head = chain.head()
      const value = { owner: fromHex(hexAddress(asked.owner_address)), contract: fromHex(hexAddress(asked.contract_address)), data: callData(asked) }
      const message = encodeMessage(KINDS.TriggerSmartContract.message, { ...value, callValue: BigInt(Number(asked.call_value ?? 0)) })
      const frame = { ...refOf(head), timestampMs: head.timestampMs, lifeMs: 60_000, feeLimit: BigInt(Number(asked.fee_limit ?? 0)) }
      const raw = makeRawData('TriggerSmartContract', message, { ...frame, permissionId: Number(asked.Permission_id ?? 0) })
      const { signature: _, ...told } = tellSent(parseSent(raw, [])) as Record<string, unknown>
      return { result: { result: true }, transaction: { visible: false, ...told } }
    },
  }
}

function sendAnswers(chain: EmulatedChain): Answers {
  const take = async (sent: Sent): Promise<object> => {
    try {
      await chain.take(sent)
      return { result: true, txid: sent.txid }
    } catch (cause) {
      if (!(cause instanceof TransactionRefused)) throw cause
      return { code: cause.code, txid: sent.txid, message: messageHex(cause.message) }
    }
  }
  const sentOf = ({ raw_data_hex: raw, signature }: Asked) => parseSent(bytesOfHex(raw), ((signature as unknown[]) ?? []).map(bytesOfHex))
  return {
    broadcasttransaction: (asked) => {
      const sent = sentOf(asked)
      if (sent.txid !== asked.txID) return { code: 'SIGERROR', txid: sent.txid, message: messageHex('the id is not the hash of the bytes') }
      return take(sent)
    },
    broadcasthex: ({ transaction }) => take(parseBroadcast(bytesOfHex(transaction))),
    gettransactionfrompending: ({ value }) => {
      const waiting = chain.pending().find(({ txid }) => txid === String(value).toLowerCase())
      return waiting ? tellSent(waiting) : {}
    },
    getsignweight: (asked) => {
      const sent = sentOf(asked)
      const { permission, approved, weight } = weigh(chain.world().accounts.get(toHex(sent.order.owner)), sent, chain.operation(sent))
      const result = weight >= permission.threshold ? {} : { code: 'NOT_ENOUGH_PERMISSION' }
      const transaction = { result: { result: true }, txid: sent.txid, transaction: tellSent(sent) }
      return { result, approved_list: approved, permission: tellPermission(permission), current_weight: Number(weight), transaction }
    },
  }
}

export function refOf(block: Block): { refBlockBytes: Uint8Array; refBlockHash: Uint8Array } {
  return { refBlockBytes: fromHex(block.id.slice(12, 16)), refBlockHash: fromHex(block.id.slice(16, 32)) }
}

function callData({ data, function_selector: selector, parameter }: Asked): Uint8Array {
  if (typeof data === 'string' && data !== '') return bytesOfHex(data)
  const name = keccak_256(new TextEncoder().encode(String(selector ?? ''))).subarray(0, 4)
  return Uint8Array.from([...name, ...bytesOfHex(parameter)])
}

function hexAddress(address: unknown): string {
  const text = String(address ?? '')
  return text.startsWith('T') ? toHex(addressBytes(text)) : text.toLowerCase()
}
