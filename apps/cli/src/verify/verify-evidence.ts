import { codecFor } from '@holdfast/chain-registry/codec'
import { encode, struct, toHex } from '@holdfast/encoding'
import type { Locale, Rendering } from '@holdfast/intent'
import { grouped } from '@holdfast/policy'
import type { Ports } from '@holdfast/ports'
import { EvidenceRefused, type EvidenceReport, refusalEvidenceShape, verifyEvidence } from '@holdfast/protocol'
import { EXIT, type Invocation, readArguments, UsageError } from '../command.ts'
import { EVIDENCE_WORDS } from './evidence-words.ts'
import { readLocale } from '../locale.ts'
import { readDocument } from '../read-document.ts'
import { readFingerprint } from '../read-fingerprint.ts'
import { type RefusalReport, verifyRefusal } from './verify-refusal.ts'
import { at, visibleText } from '@holdfast/units'

/** `verify-evidence <bundle> [--fingerprint hex] [--json] [--lang xx]`: what a bundle proves, in words. 0 proved, 1 refused. */
export async function verifyEvidenceCommand({ ports, args }: Invocation): Promise<number> {
  const { values, positionals } = readArguments(args, { fingerprint: { type: 'string' }, json: { type: 'boolean', default: false }, lang: { type: 'string' } })
  if (positionals.length !== 1) throw new UsageError('Name the file of one bundle.')
  const locale = readLocale(values.lang, ports.process.env)
  const fingerprint = readFingerprint(values.fingerprint)
  const bundle = await readDocument(ports.disk, at(positionals, 0))
  const show = values.json ? showJson : showWords
  try {
    show(ports, examine(bundle, fingerprint), locale, fingerprint)
    return EXIT.ok
  } catch (error) {
    if (!(error instanceof EvidenceRefused)) throw error
    const message = error.message.replace(`${error.step}: `, '')
    if (values.json) ports.process.print(JSON.stringify({ verified: false, step: error.step, message }))
    else
      for (const line of [EVIDENCE_WORDS[locale].refused(error.step, message), EVIDENCE_WORDS[locale].refusedMeans]) {
        ports.process.printError(visibleText(line))
      }
    return EXIT.refused
  }
}

type Finding = { kind: 'signature'; report: EvidenceReport } | { kind: 'refusal'; report: RefusalReport }

/** Checks a bundle of either kind. Throws EvidenceRefused. */
export function examine(bundle: Uint8Array, fingerprint: string | undefined): Finding {
  if (isRefusal(bundle)) return { kind: 'refusal', report: verifyRefusal(bundle, { fingerprint }) }
  return { kind: 'signature', report: verifyEvidence(bundle, { codecFor, ...(fingerprint === undefined ? {} : { fingerprint }) }) }
}

/** Whether the bytes begin as a refusal's do: with its tag. */
function isRefusal(bundle: Uint8Array): boolean {
  const empty = encode(struct(refusalEvidenceShape.tag, {}), {})
  const head = empty.subarray(0, empty.length - 4)
  return head.every((byte, i) => bundle[i] === byte)
}

type Show = (ports: Ports, finding: Finding, locale: Locale, fingerprint: string | undefined) => void

const showWords: Show = (ports, finding, locale, fingerprint) => {
  const words = EVIDENCE_WORDS[locale]
  const rows = finding.kind === 'signature' ? signatureRows(finding.report, locale) : refusalRows(finding.report, locale)
  const { organisation, fingerprint: found } = finding.report
  const head = [
    { label: words.organisation, value: organisation },
    { label: words.fingerprint, value: grouped(found) },
    { label: '', value: fingerprint === undefined ? words.notCompared : words.compared },
  ]
  ports.process.print(finding.kind === 'signature' ? words.verified : words.refusal)
  ports.process.print('')
  for (const row of [...head, ...rows]) ports.process.print(lineOf(row))
}

type Row = { label: string; value: string }
const BLANK: Row = { label: '', value: '' }

function signatureRows(report: EvidenceReport, locale: Locale): Row[] {
  const words = EVIDENCE_WORDS[locale]
  return [
    BLANK,
    ...orderRows(report.rendering(locale)),
    ...(report.batch ? [BLANK, { label: '', value: words.batch(...report.batch.lines) }, ...orderRows(report.batch.rendering(locale))] : []),
    ...(report.standingOrder ? [BLANK, { label: '', value: words.standingOrder }, ...orderRows(report.standingOrder.rendering(locale))] : []),
    BLANK,
    { label: words.policy, value: words.policyVersion(String(report.policy.version)) },
    { label: words.rule, value: (report.standingOrder ? words.standingNeeds : words.ruleNeeds)(report.ruleId, String(report.threshold)) },
    { label: words.initiator, value: report.initiator },
    { label: words.approvedBy, value: report.approvedBy.join(words.comma) },
    ...report.screenings.map(({ screener, provider, level, atMs }, i) => {
      const value = words.screening(screener, provider, words.levels[level] ?? level, timeOf(atMs))
      return { label: i === 0 ? words.screened : '', value }
    }),
    { label: words.signers, value: report.signers.join(words.comma) },
    { label: words.third, value: standingText(report.standing, locale) },
    { label: words.log, value: words.logged(String(report.logSize), report.witnesses.join(words.comma)) },
    { label: words.txid, value: report.txid },
  ]
}

function standingText(standing: EvidenceReport['standing'], locale: Locale): string {
  const words = EVIDENCE_WORDS[locale]
  if (standing.kind === 'unsaid') return words.unsaid
  if (standing.kind === 'word') return standing.isShown ? words.wordShown(standing.signer) : words.wordSaid(standing.signer)
  return words.away(standing.signer, timeOf(standing.untilMs), standing.approvedBy.join(words.comma))
}

function refusalRows(report: RefusalReport, locale: Locale): Row[] {
  const words = EVIDENCE_WORDS[locale]
  const { party, name, operator } = report.signer
  return [
    { label: words.signer, value: words.operatedBy(name, String(party), operator) },
    { label: words.check, value: report.demand === undefined ? report.check : `${report.check}: ${report.demand}` },
    { label: words.reason, value: report.reason },
    { label: words.at, value: timeOf(report.atMs) },
    { label: words.request, value: words.requests[report.request] },
    ...(report.standingOrder ? [{ label: words.underStanding, value: grouped(toHex(report.standingOrder)) }] : []),
    ...(report.rendering ? [BLANK, { label: '', value: words.order }, ...orderRows(report.rendering(locale))] : []),
    ...(report.request === 'sign' && !report.rendering ? [{ label: '', value: words.orderUnreadable }] : []),
  ]
}

function orderRows({ title, rows, warnings }: Rendering): Row[] {
  return [
    { label: '', value: title },
    ...rows.map(({ label, value }) => ({ label: `  ${label}`, value })),
    ...warnings.map((value) => ({ label: '  !', value })),
  ]
}

const LABEL_COLUMNS = 28

function lineOf({ label, value }: Row): string {
  const shown = visibleText(label)
  // Han characters take two columns of a terminal.
  const columns = [...shown].reduce((sum, character) => sum + (/\p{Script=Han}|[，：（）]/u.test(character) ? 2 : 1), 0)
  return label === '' ? visibleText(value) : `${shown}${' '.repeat(Math.max(1, LABEL_COLUMNS - columns))}${visibleText(value)}`
}

function timeOf(ms: bigint): string {
  return ms > 253402300799999n ? `${ms} ms` : new Date(Number(ms)).toISOString()
}

const showJson: Show = (ports, finding, locale, fingerprint) => {
  const { report } = finding
  const common = {
    verified: true,
    kind: finding.kind,
    organisation: report.organisation,
    fingerprint: report.fingerprint,
    fingerprintCompared: fingerprint !== undefined,
  }
  const own = finding.kind === 'signature' ? signatureJson(finding.report, locale) : refusalJson(finding.report, locale)
  ports.process.print(JSON.stringify({ ...common, ...own }, (_, value) => (typeof value === 'bigint' ? String(value) : value)))
}

function signatureJson(report: EvidenceReport, locale: Locale) {
  const { txid, ruleId, threshold, approvedBy, initiator, signers, witnesses, logSize, screenings, standing, standingOrder, batch } = report
  return {
    txid,
    order: report.rendering(locale),
    standingOrder: standingOrder && { name: standingOrder.name, version: standingOrder.version, order: standingOrder.rendering(locale) },
    batch: batch && { lines: batch.lines, order: batch.rendering(locale) },
    policyVersion: report.policy.version,
    ruleId,
    threshold,
    approvedBy,
    initiator,
    screenings,
    signers,
    standing,
    witnesses,
    logSize,
  }
}

function refusalJson(report: RefusalReport, locale: Locale) {
  const { signer, check, demand, reason, atMs, request, standingOrder } = report
  return { signer, check, demand, reason, atMs, request, standingOrder: standingOrder && toHex(standingOrder), order: report.rendering?.(locale) ?? null }
}
