import { addressText, AppError, labelText, type OutputOf, remarkText, systemErrors } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { knownAddressErrors } from '@holdfast/features/known-address/errors'
import { newId } from '@holdfast/units'
import type { importBook as definition } from '../../book-contract.ts'
import { addressBookErrors } from '../../errors.ts'
import { addEntry, type Editor } from './save-entry.ts'

type Line = { name: string; chain: string; address: string; memo: string; note: string }
type Result = OutputOf<typeof definition>['results'][number]

const NAME = labelText(50)
const MEMO = labelText(200)
const NOTE = remarkText(200)

/**
 * Adds what can be added to the organisation's book, and says of each line what became of it. A line may name several networks, with a space between them. What looks
 * like a known address is not added: that is acknowledged one by one, by eye.
 */
export async function importBook(tx: OrganisationTx, editor: Editor, lines: readonly Line[]): Promise<{ added: string[]; results: Result[] }> {
  const added: string[] = []
  const results: Result[] = []
  for (const line of lines) {
    const id = newId(editor.ports.clock.nowMs(), editor.ports.random)
    const result = await importLine(tx, editor, line, id)
    if (result === 'added') added.push(id)
    results.push(result)
  }
  return { added, results }
}

async function importLine(tx: OrganisationTx, editor: Editor, line: Line, id: string): Promise<Result> {
  const [name, memo, address] = [line.name.trim(), line.memo.trim(), line.address.trim()]
  const chains = chainsNamed(editor, line.chain)
  if (!NAME.safeParse(name).success) return 'bad_name'
  if (chains.length === 0) return 'bad_chain'
  if (!addressText.safeParse(address).success || address.length > 128) return 'bad_address'
  if (chains.some((chain) => editor.networks.find(chain)?.codec.canonicalAddress(address) === undefined)) return 'bad_address'
  if ((memo !== '' && !MEMO.safeParse(memo).success) || !NOTE.safeParse(line.note).success) return 'bad_text'
  try {
    await addEntry(tx, editor, { name, chains, address, memo, note: line.note, vasp: '', group_id: undefined, ack: '' }, id, 'imported')
    return 'added'
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause
    if (cause.refusal === addressBookErrors.address_duplicate || cause.refusal === addressBookErrors.address_in_approval) return 'duplicate'
    if (cause.refusal === systemErrors.name_taken) return 'name_taken'
    if (cause.refusal === knownAddressErrors.address_look_alike) return 'similar'
    throw cause
  }
}

/** The networks that a cell names, by chain or by name; none where one of them is unknown. */
function chainsNamed({ networks }: Editor, cell: string): string[] {
  const all = networks.list()
  const found = (named: string) => all.find((each) => each.chain === named || each.name.toLowerCase() === named)?.chain
  const whole = found(cell.trim().toLowerCase())
  if (whole !== undefined) return [whole]
  const chains = cell.trim().toLowerCase().split(/\s+/).map(found)
  return chains.every((chain) => chain !== undefined) ? [...new Set(chains)] : []
}
