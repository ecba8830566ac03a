import { ChainError } from '@holdfast/chain-core'
import { type Address, rawAddress, sameAddress } from '../codec/address.ts'
import { serializeBoc } from '../codec/boc.ts'
import type { Cell } from '../codec/cell.ts'
import { CellBuilder } from '../codec/cell-builder.ts'
import { CellReader } from '../codec/cell-reader.ts'
import { JETTON_DATA_FORMS, jettonWalletAddress, type JettonWalletForm } from '../codec/jetton.ts'
import { array, base64, boc, record } from './answers.ts'
import { callMethod, type Rpc } from './rpc.ts'

/** The form of a jetton's wallets, found out once from its master. After that a wallet's address is computed, and nobody's word counts. */
export type Forms = (master: Address) => Promise<JettonWalletForm>

export function openForms(rpc: Rpc): Forms {
  const found = new Map<string, JettonWalletForm>()
  return async (master) => {
    const key = rawAddress(master)
    const known = found.get(key)
    if (known) return known
    const form = await findForm(rpc, master)
    found.set(key, form)
    return form
  }
}

async function findForm(rpc: Rpc, master: Address): Promise<JettonWalletForm> {
  const address = rawAddress(master)
  const code = cellOf((await callMethod(rpc, address, 'get_jetton_data', []))[4], 'code of jetton wallets')
  // Whose wallet is asked for does not matter; the master itself is somebody.
  const [told] = await callMethod(rpc, address, 'get_wallet_address', [['tvm.Slice', base64(serializeBoc(addressCell(master)))]])
  const sample = new CellReader(cellOf(told, 'address of a jetton wallet')).address()
  for (const form of JETTON_DATA_FORMS) {
    const candidate = { codeHash: code.hash, codeDepth: BigInt(code.depth), ...form }
    if (sample && sameAddress(jettonWalletAddress(candidate, master, master), sample)) return candidate
  }
  throw new ChainError(`the wallets of the jetton ${address} are of no known form; take it off the list of tokens`)
}

/** What a holder has, by the data of its jetton wallet. */
export function jettonBalance(form: JettonWalletForm, data: Cell): bigint {
  const reader = new CellReader(data)
  if (form.hasStatus) reader.skip(4)
  return reader.coins()
}

/** The holder that a jetton wallet itself names: no more than a claim until its address is computed from it. */
export async function claimedOwner(rpc: Rpc, wallet: Address): Promise<Address | null> {
  return new CellReader(cellOf((await callMethod(rpc, rawAddress(wallet), 'get_wallet_data', []))[1], 'holder of a jetton wallet')).address()
}

function addressCell(address: Address): Cell {
  return new CellBuilder().address(address).cell()
}

/** A cell on the stack, which nodes give as `["cell", {"bytes": …}]`. */
function cellOf(claim: unknown, name: string): Cell {
  const [kind, value] = array(claim, name)
  if (kind !== 'cell' && kind !== 'slice') throw new ChainError(`the contract gave no cell as ${name}`)
  return boc(record(value, name).bytes, name)
}
