import type { Locale } from '@holdfast/intent'
import { CheckpointRefused, parseCheckpoint, type SignedCheckpoint } from '@holdfast/log'
import { grouped } from '@holdfast/policy'
import { EXIT, type Invocation, readArguments, UsageError } from '../command.ts'
import { readLocale } from '../locale.ts'
import { readFingerprint } from '../read-fingerprint.ts'
import { LogRefused, verifyLogFile } from '@holdfast/protocol/verify-log-file'
import { visibleText } from '@holdfast/units'

const en = {
  verified: 'VERIFIED. The log is whole, and only ever grew between these checkpoints.',
  refused: (message: string) => `REFUSED: ${message}`,
  organisation: 'Organisation',
  fingerprint: 'Fingerprint',
  entries: (count: string) => `${count} entries`,
  checkpoint: (size: string, names: string) => `The first ${size} entries are witnessed by ${names}.`,
  beyond: (count: string) => `${count} entries are newer than every checkpoint given: nobody witnesses them here.`,
  comma: ', ',
}

const LOG_WORDS: Record<Locale, typeof en> = {
  'en-US': en,
  'zh-CN': {
    verified: '验证通过。日志完整，且在这些检查点之间只有追加。',
    refused: (message) => `未通过：${message}`,
    organisation: '机构',
    fingerprint: '指纹',
    entries: (count) => `共 ${count} 条`,
    checkpoint: (size, names) => `前 ${size} 条由 ${names} 见证。`,
    beyond: (count) => `有 ${count} 条晚于所给的全部检查点，此处无人见证。`,
    comma: '、',
  },
}

/** `verify-log <log file> <checkpoint file> [<checkpoint file> ...]`: whether the log is whole and only grew. 0 yes, 1 no. */
export async function verifyLogCommand({ ports, args }: Invocation): Promise<number> {
  const { values, positionals } = readArguments(args, { fingerprint: { type: 'string' }, lang: { type: 'string' } })
  const locale = readLocale(values.lang, ports.process.env)
  const fingerprint = readFingerprint(values.fingerprint)
  const [log, ...notes] = positionals
  if (log === undefined || notes.length === 0) throw new UsageError('Name the log file and at least one checkpoint.')
  for (const path of positionals) if ((await ports.disk.stat(path))?.kind !== 'file') throw new UsageError(`there is no file ${path}`)
  const words = LOG_WORDS[locale]
  try {
    const checkpoints: SignedCheckpoint[] = []
    for (const path of notes) checkpoints.push(parseCheckpoint(new TextDecoder().decode(await ports.disk.read(path))))
    const report = await verifyLogFile(ports.disk.readPieces(log), checkpoints, fingerprint)
    const counts = [...report.counts].map(([type, count]) => `${type} ${count}`).join(words.comma)
    const newest = Math.max(...report.checkpoints.map((each) => each.size))
    const lines = [
      words.verified,
      `${words.organisation}: ${report.organisation}`,
      `${words.fingerprint}: ${grouped(report.fingerprint)}`,
      `${words.entries(String(report.entries))} (${counts})`,
      ...report.checkpoints.map((each) => words.checkpoint(String(each.size), each.witnesses.join(words.comma))),
      ...(newest < report.entries ? [words.beyond(String(report.entries - newest))] : []),
    ]
    for (const line of lines) ports.process.print(visibleText(line))
    return EXIT.ok
  } catch (error) {
    if (!(error instanceof LogRefused) && !(error instanceof CheckpointRefused)) throw error
    ports.process.printError(visibleText(words.refused(error.message)))
    return EXIT.refused
  }
}
