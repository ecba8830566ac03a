import { EncodingFault, toHex } from '@holdfast/encoding'
import type { Locale } from '@holdfast/intent'
import { grouped } from '@holdfast/policy'
import type { Ports } from '@holdfast/ports'
import { encodeDrills, kitHash, kitInstructions, type RecoveryKit } from '@holdfast/protocol'
import { visibleText } from '@holdfast/units'
import { basename } from 'node:path'
import { EXIT, type Invocation, readArguments, UsageError } from '../command.ts'
import { KitRefused, kitsIn, provenBy } from './open-kit.ts'
import { readLocale } from '../locale.ts'
import { readDocument } from '../read-document.ts'
import { readFingerprint } from '../read-fingerprint.ts'
import { recoverSweep } from '../sweep/recover-sweep.ts'
import { type Identity, readIdentities } from './recovery-identity.ts'
import { RECOVERY_WORDS } from './recovery-words.ts'
import { shareLines } from './share-lines.ts'
import { CHILDREN_DERIVED, type KitReport, verifyKit } from './verify-kit.ts'

/** Writes the page to print that goes with a kit. It needs no identity: nothing is opened. */
export async function instructions({ ports, args }: Invocation): Promise<number> {
  const { values, positionals } = readArguments(args, { kit: { type: 'string' }, out: { type: 'string' }, lang: { type: 'string' } })
  const words = RECOVERY_WORDS[readLocale(values.lang, ports.process.env)]
  const { kit, out } = values
  if (positionals.length > 0 || kit === undefined || out === undefined) throw new UsageError('Give the kit with --kit and a new file for the page with --out.')
  if (await ports.disk.stat(out)) throw new UsageError(`${out} exists already: name a new file.`)
  const encoded = await readDocument(ports.disk, kit)
  try {
    for (const each of kitsIn(encoded)) provenBy(each)
    const page = kitInstructions(encoded, basename(kit))
    await ports.disk.writeAtomic(out, new TextEncoder().encode(page), 0o644)
  } catch (cause) {
    if (!(cause instanceof EncodingFault || cause instanceof KitRefused)) throw cause
    ports.process.printError(visibleText(`${words.steps[cause instanceof KitRefused ? cause.step : 'kit']}: ${cause.message}`))
    return EXIT.refused
  }
  ports.process.print(words.printed(out))
  return EXIT.ok
}

/** What every use of a kit is given. `options` are those that only some use. */
export type KitCommand = {
  ports: Ports
  locale: Locale
  /** One for each key, in the order in which keys serve a network that takes several kinds. */
  kits: RecoveryKit[]
  input: { identities: Identity[]; fingerprint: string | undefined }
  options: { out: string | undefined; addresses: string | undefined; plan: string | undefined; confirm: string | undefined }
}

async function withKit({ ports, args }: Invocation, act: (command: KitCommand) => Promise<number>): Promise<number> {
  const { values, positionals } = readArguments(args, {
    kit: { type: 'string' },
    identity: { type: 'string', multiple: true },
    out: { type: 'string' },
    addresses: { type: 'string' },
    plan: { type: 'string' },
    confirm: { type: 'string' },
    fingerprint: { type: 'string' },
    lang: { type: 'string' },
  })
  const locale = readLocale(values.lang, ports.process.env)
  if (positionals.length > 0 || values.kit === undefined || values.identity === undefined) {
    throw new UsageError('Give the kit with --kit and at least one identity file with --identity.')
  }
  const { out, addresses, plan, confirm } = values
  if (out !== undefined && (await ports.disk.stat(out))) throw new UsageError(`${out} exists already: name a new file.`)
  const identities: Identity[] = []
  for (const path of values.identity) identities.push(...(await readIdentities(ports.disk, path)))
  try {
    const kits = kitsIn(await readDocument(ports.disk, values.kit))
    const input = { identities, fingerprint: readFingerprint(values.fingerprint) }
    return await act({ ports, locale, kits, input, options: { out, addresses, plan, confirm } })
  } catch (error) {
    if (!(error instanceof KitRefused)) throw error
    ports.process.printError(visibleText(`${RECOVERY_WORDS[locale].steps[error.step]}: ${error.message}`))
    return EXIT.refused
  }
}

/** Rebuilds the key of each kit of a file, and says whether it is the key that the kit names. */
export const verify = (invocation: Invocation): Promise<number> => withKit(invocation, verifyKits)
/** Plans or signs what empties the addresses of a rebuilt key. */
export const sweep = (invocation: Invocation): Promise<number> => withKit(invocation, recoverSweep)

const ADDRESSES_MAX = 10_000

async function verifyKits({ ports, locale, kits, input, options }: KitCommand): Promise<number> {
  if (options.plan !== undefined || options.confirm !== undefined) throw new UsageError('--plan and --confirm are for recover sweep.')
  const asked = options.addresses
  if (asked !== undefined && !(/^[0-9]{1,5}$/.test(asked) && Number(asked) <= ADDRESSES_MAX)) {
    throw new UsageError(`--addresses takes a number up to ${ADDRESSES_MAX}.`)
  }
  const reports: KitReport[] = []
  for (const kit of kits) {
    const report = await verifyKit({ ...input, kit, nowMs: ports.clock.nowMs(), addresses: asked === undefined ? CHILDREN_DERIVED : Number(asked) })
    tellOfKey(ports, report, { isListed: asked !== undefined, locale })
    reports.push(report)
  }
  return conclude(ports, reports, { out: options.out, locale })
}

/** Says how one key of the file stands. */
function tellOfKey(ports: Ports, report: KitReport, { isListed, locale }: { isListed: boolean; locale: Locale }): void {
  const words = RECOVERY_WORDS[locale]
  const print = (line: string) => ports.process.print(visibleText(line))
  const { kit } = report
  print(`${words.organisation}: ${report.organisation}`)
  print(`${words.fingerprint}: ${grouped(report.fingerprint)}`)
  print(`${words.key}: ${toHex(kit.keyId)}, ${kit.protocol}, ${words.epoch(String(kit.epoch))}`)
  print(`${words.kit}: ${grouped(toHex(kitHash(kit)))}`)
  for (const line of shareLines(report.shares, report.strangers, locale)) print(line)
  if (report.rebuiltBy.length < 2) {
    ports.process.printError(visibleText(words.notRebuilt(String(report.rebuiltBy.length))))
    return
  }
  print(words.rebuilt(report.rebuiltBy.map((signer) => signer.name).join(words.comma)))
  print(words.addresses(String(report.addressesChecked)))
  print(words.children(String(new Set(report.derived.map(({ path }) => path.join('/'))).size)))
  if (isListed) for (const { path, name, network } of report.derived) print(`m/${path.join('/')} ${network ?? kit.protocol} ${name}`)
}

/** One record proves all keys of the file, or there is none. */
async function conclude(ports: Ports, reports: readonly KitReport[], { out, locale }: { out: string | undefined; locale: Locale }): Promise<number> {
  const words = RECOVERY_WORDS[locale]
  if (reports.some(({ rebuiltBy }) => rebuiltBy.length < 2)) return EXIT.refused
  const drills = reports.flatMap(({ drill }) => drill ?? [])
  const isSound = drills.length === reports.length
  if (!isSound) ports.process.printError(words.notSound)
  else if (out === undefined) ports.process.print(words.notWritten)
  else {
    await ports.disk.writeAtomic(out, encodeDrills(drills), 0o644)
    ports.process.print(visibleText(words.written(out)))
  }
  ports.process.print(words.restart)
  return isSound ? EXIT.ok : EXIT.refused
}
