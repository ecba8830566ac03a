import { addressText, AppError, labelText, type OutputOf, remarkText, systemErrors } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { knownAddressErrors } from '@holdfast/features/known-address/errors'
import type { importPersonal as definition } from '../contract.ts'
import { addressBookErrors } from '../errors.ts'
import { countEntries, ENTRIES_MAX, lockBook, type Owner, savePersonal } from './save-personal.ts'

type Line = { name: string; chain: string; address: string; memo: string; note: string }
type Result = OutputOf<typeof definition>['results'][number]

const NAME = labelText(50)
const MEMO = labelText(200)
const NOTE = remarkText(200)

/**
 * Adds what can be added and says of each line what became of it. A network may be named by its chain or its name. What looks like a known address is
 * not added: that is acknowledged one by one, by eye.
 */
export async function importPersonal(tx: OrganisationTx, owner: Owner, lines: readonly Line[]): Promise<{ added: number; results: Result[] }> {
  await lockBook(tx, owner.personId)
  let room = ENTRIES_MAX - (await countEntries(tx, owner.personId))
  const results: Result[] = []
  for (const line of lines) {
    const result = room > 0 ? await importLine(tx, owner, line) : 'full'
    if (result === 'added') room--
    results.push(result)
  }
  return { added: results.filter((each) => each === 'added').length, results }
}

async function importLine(tx: OrganisationTx, owner: Owner, line: Line): Promise<Result> {
  const [name, memo, address] = [line.name.trim(), line.memo.trim(), line.address.trim()]
  const named = line.chain.trim().toLowerCase()
  const network = owner.networks.list().find((each) => each.chain === named || each.name.toLowerCase() === named)
  if (!NAME.safeParse(name).success) return 'bad_name'
  if (!network) return 'bad_chain'
  if (!addressText.safeParse(address).success || network.codec.canonicalAddress(address) === undefined) return 'bad_address'
  if ((memo !== '' && !MEMO.safeParse(memo).success) || !NOTE.safeParse(line.note).success) return 'bad_text'
  try {
    await savePersonal(tx, owner, { name, chain: network.chain, address, memo, note: line.note, ack: '' })
    return 'added'
  } catch (cause) {
    if (cause instanceof AppError && cause.refusal === addressBookErrors.address_duplicate) return 'duplicate'
    if (cause instanceof AppError && cause.refusal === systemErrors.name_taken) return 'name_taken'
    if (cause instanceof AppError && cause.refusal === knownAddressErrors.address_look_alike) return 'similar'
    throw cause
  }
}
