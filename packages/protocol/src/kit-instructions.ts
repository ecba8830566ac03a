import { decode, equalBytes, toHex } from '@holdfast/encoding'
import { LOCALES, type Locale, timeInWords } from '@holdfast/intent'
import { genesisRecordShape, grouped, readRecord, recipientFingerprint, type SignerIdentity } from '@holdfast/policy'
import { at, visibleText } from '@holdfast/units'
import { type Block, INSTRUCTIONS, type KitFacts } from './kit-instructions-words.ts'
import { kitFileHash, readKits, type RecoveryKit, sealedShareShape } from './recovery-kit.ts'
import type { Signed } from './session.ts'

/**
 * The printable instructions of a recovery kit, one HTML document in every language, for an officer who has never seen the product: what is in the kit, what
 * to bring, each command and what its output means. It needs no secret, no script and no network. `fileName` is what the kit is called. It says what the kit
 * says, for whoever has made the kit or has checked it. Throws EncodingFault for bytes that are no kit.
 */
export function kitInstructions(encodedKit: Uint8Array, fileName: string): string {
  const facts = factsOf(encodedKit, fileName)
  const parts = LOCALES.map((locale) => section(locale, facts))
  const title = `${INSTRUCTIONS['en-US'].title} / ${INSTRUCTIONS['zh-CN'].title}`
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escape(title)}</title><style>${STYLE}</style></head><body>`,
    ...parts,
    '</body></html>',
    '',
  ].join('\n')
}

function factsOf(encodedKit: Uint8Array, fileName: string): KitFacts {
  const kits = readKits(encodedKit)
  const kit = at(kits, 0)
  const organisations = organisationsOf(kits)
  const { genesis, fingerprint } = at(organisations, 0)
  // Most often all keys of a wallet are sealed to the same officers, and each share is told once.
  const holders = new Map(kits.flatMap((each, i) => holdersOf(each, at(organisations, i).signers)).map((each) => [JSON.stringify(each), each]))
  return {
    organisation: genesis.name,
    fingerprint: grouped(toHex(fingerprint)),
    keys: kits.map(({ keyId, protocol, epoch }) => ({ keyId: grouped(toHex(keyId)), protocol, epoch: String(epoch) })),
    fileName,
    kitHash: grouped(toHex(kitFileHash(kits))),
    writtenAt: timeInWords(kit.createdAtMs),
    addresses: String(kits.reduce((sum, { addresses }) => sum + addresses.length, 0)),
    signersNeeded: String(genesis.threshold),
    signers: [...holders.values()],
  }
}

/** The organisation by the record in each kit. Kits of one wallet mostly hold the same record, with every version of the policy in it: it is read once. */
function organisationsOf(kits: readonly RecoveryKit[]): ReturnType<typeof readRecord>[] {
  const said: ReturnType<typeof readRecord>[] = []
  kits.forEach(({ genesisRecord }, i) => {
    const before = kits.findIndex((each) => equalBytes(each.genesisRecord, genesisRecord))
    said.push(before < i ? at(said, before) : readRecord(decode(genesisRecordShape, genesisRecord)))
  })
  return said
}

/** The signers of a kit, each with the officers that its share is sealed to. */
function holdersOf(kit: RecoveryKit, signers: readonly SignerIdentity[]): KitFacts['signers'] {
  const shares = new Map(kit.shares.map((signed) => [signed.party, officersOf(signed)]))
  return signers.map(({ party, name, operator }) => ({ party: String(party), name, operator, ...(shares.get(party) ?? { needs: '0', officers: [] }) }))
}

function officersOf({ message }: Signed): { needs: string; officers: string[] } {
  const sealed = decode(sealedShareShape, message)
  if (sealed.kind === 'single') return { needs: '1', officers: sealed.recipients.map(recipientFingerprint) }
  return { needs: String(sealed.threshold), officers: sealed.officers.map(({ recipient }) => recipientFingerprint(recipient)) }
}

function section(locale: Locale, facts: KitFacts): string {
  const words = INSTRUCTIONS[locale]
  const rows = words.facts(facts).map(([label, value]) => `<tr><th scope="row">${escape(label)}</th><td>${escape(value)}</td></tr>`)
  const body = words.blocks(facts).map(block)
  return [`<main lang="${locale}">`, `<h1>${escape(words.title)}</h1>`, `<table>${rows.join('')}</table>`, ...body, '</main>'].join('\n')
}

function block(each: Block): string {
  if ('heading' in each) return `<h2>${escape(each.heading)}</h2>`
  if ('text' in each) return `<p>${escape(each.text)}</p>`
  if ('command' in each) return `<pre>${escape(each.command)}</pre>`
  if ('steps' in each) return `<ol>${each.steps.map((step) => `<li>${escape(step)}</li>`).join('')}</ol>`
  if ('items' in each) return `<ul>${each.items.map((item) => `<li>${escape(item)}</li>`).join('')}</ul>`
  return `<table>${each.meanings.map(([said, means]) => `<tr><th scope="row">${escape(said)}</th><td>${escape(means)}</td></tr>`).join('')}</table>`
}

/** Names come from documents that somebody else wrote: they are shown, and arrange nothing. Line ends are our own, in commands. */
function escape(text: string): string {
  const shown = text.split('\n').map(visibleText).join('\n')
  return shown.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

const STYLE = [
  'body{font:11pt/1.5 system-ui,"Noto Sans","Noto Sans SC",sans-serif;color:#111;background:#fff;margin:0}',
  'main{max-width:46rem;margin:0 auto;padding:1.5rem}main+main{border-top:1px solid #999}',
  'h1{font-size:1.5em;line-height:1.25}h2{font-size:1.15em;margin:1.6em 0 .4em;break-after:avoid}',
  'table{border-collapse:collapse;width:100%;margin:.6em 0}th,td{border:1px solid #999;padding:.3em .5em;text-align:left;vertical-align:top;overflow-wrap:anywhere;white-space:pre-line}',
  'th{width:34%;font-weight:600}tr,pre,li{break-inside:avoid}',
  'pre{font:9.5pt/1.45 ui-monospace,Menlo,Consolas,monospace;border:1px solid #999;padding:.6em;white-space:pre-wrap;overflow-wrap:anywhere}',
  '@media print{@page{margin:16mm}main{padding:0;max-width:none}main+main{break-before:page;border:0}}',
].join('')
