import { readConfig } from '../read-config.ts'
import { Journal, readWitness } from '../state/journal.ts'
import { openKey } from '../state/sealed-key.ts'
import { type Given, UsageError } from './given.ts'

/**
 * Goes on with a folder that was put back, for whoever has no newer copy. From then on nothing is decided that was asked for before, and nothing for a day that
 * the limits count by day: what was let through meanwhile is known to nobody.
 */
export async function resume({ ports, configPath, values, password }: Given): Promise<number> {
  const past = Number(values['past'] ?? Number.NaN)
  if (!Number.isSafeInteger(past) || past < 0) throw new UsageError('Say --past <number>: the place of the journal that the co-signer names in its log.')
  const config = await readConfig(ports, configPath)
  const key = await openKey(ports, config.files.key, await password())
  const { journal: path, witness: witnessPath } = config.files
  const witness = await readWitness(ports, witnessPath)
  const journal = await Journal.open(ports, { path, witnessPath, key: key.journalKey, isPutBack: true })
  await journal.write({ kind: 'resumed', past: BigInt(Math.max(past, witness.position)) })
  ports.process.print(`Goes on at ${journal.last.position}. Orders from before are not decided any more, and no order with an amount for 24 hours.`)
  await journal.close()
  return 0
}
