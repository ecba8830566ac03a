import { type Locale, timeInWords } from '@holdfast/intent'
import { at, formatAmount, visibleText } from '@holdfast/units'
import { EXIT, UsageError } from '../command.ts'
import { familiesOf, networkOf } from '../recover/networks.ts'
import { withOpenKit } from '../recover/open-kit.ts'
import { readDocument } from '../read-document.ts'
import type { KitCommand } from '../recover/use-kit.ts'
import { RECOVERY_WORDS } from '../recover/recovery-words.ts'
import { shareLines } from '../recover/share-lines.ts'
import { confirmationOf, type Planned, type PreparedSweep, prepareSweep, type SignedStep, signSweep } from './sweep-kit.ts'
import { readSweepPlan } from './sweep-plan.ts'

/**
 * `recover sweep`: says in words what each transaction of a plan does, asks for words that are theirs alone, and only then rebuilds the key, signs and
 * writes the raw transactions to a file. Works with any two good shares: what is wrong with the third is said, and stops nothing.
 */
export async function recoverSweep({ ports, locale, kits, input, options }: KitCommand): Promise<number> {
  const { plan: planPath, out, confirm } = options
  if (planPath === undefined || out === undefined) throw new UsageError('Give the plan with --plan and a new file for the signed transactions with --out.')
  if (options.addresses !== undefined) throw new UsageError('--addresses is for recover verify.')
  const plan = readSweepPlan(new TextDecoder().decode(await readDocument(ports.disk, planPath)))
  const words = RECOVERY_WORDS[locale]
  const print = (line: string) => ports.process.print(visibleText(line))
  const kit = kits.find(({ protocol }) => familiesOf(protocol).some((family) => family === networkOf(plan.chain)?.family)) ?? at(kits, 0)
  return withOpenKit({ ...input, kit }, async (open) => {
    for (const line of shareLines(open.shares, open.strangers, locale)) print(line)
    if (open.usable.length < open.needs) {
      ports.process.printError(words.sweep.unusable(String(open.usable.length)))
      return EXIT.refused
    }
    const prepared = prepareSweep(open.kit, plan)
    for (const line of sweepLines(prepared, locale)) print(line)
    const wanted = confirmationOf(prepared)
    if (confirm === undefined) print(words.sweep.type(wanted))
    const said = confirm ?? (await ports.process.readLine()) ?? ''
    if (said.trim() !== wanted) {
      ports.process.printError(words.sweep.stopped(wanted))
      return EXIT.refused
    }
    const signed = signSweep(open, prepared)
    await ports.disk.writeAtomic(out, new TextEncoder().encode(sweepFile(prepared, signed)), 0o600)
    print(words.sweep.written(String(signed.length), out))
    print(words.restart)
    return EXIT.ok
  })
}

/** What the transactions do, told from their own bytes. */
function sweepLines(prepared: PreparedSweep, locale: Locale): string[] {
  const { chain, family, planned, left } = prepared
  const { sweep } = RECOVERY_WORDS[locale]
  const coin = (amount: bigint) => formatAmount(amount, family.decimals)
  const movement = ({ decimals, symbol }: Planned, { asset, amount, to }: Planned['effects']['transfers'][number]) => {
    if (asset.contract === null) return sweep.moves(coin(amount), sweep.coin, to)
    // Symbol and decimals of a token are the plan's word alone: the units are what is signed.
    const asPlan = decimals === null ? '' : sweep.asPlan(`${formatAmount(amount, decimals)} ${symbol ?? ''}`.trim())
    return sweep.moves(sweep.units(String(amount)), sweep.token(asset.contract) + asPlan, to)
  }
  const place = ({ effects: { slot, validUntilMs, inputs } }: Planned) =>
    inputs ? sweep.coins(String(inputs.length)) : validUntilMs === undefined ? sweep.numbered(String(slot)) : sweep.until(timeInWords(validUntilMs))
  return [
    ...planned.flatMap((each, i) => [
      sweep.one(String(i + 1), each.from, each.path.join('/')),
      ...each.effects.transfers.map((transfer) => movement(each, transfer)),
      sweep.fee(coin(each.effects.feeMax), place(each)),
    ]),
    ...left.map(({ amount, address }) => sweep.left(coin(amount), address)),
    sweep.total(String(planned.length), chain),
  ]
}

function sweepFile({ chain, family }: PreparedSweep, signed: readonly SignedStep[]): string {
  const transactions = signed.map(({ from, slot, txid, raw }) => ({ from, slot: String(slot), txid, raw: family.toSend(chain, raw) }))
  return `${JSON.stringify({ chain, transactions }, null, 2)}\n`
}
