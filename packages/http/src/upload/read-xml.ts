import { TableFault } from './table-fault.ts'

/** What of a text of XML is told, one after the other; a name comes without its prefix. */
export type XmlSink = {
  open(name: string, attributes: ReadonlyMap<string, string>): void
  text(text: string): void
  close(name: string): void
}

const DEPTH_MAX = 64
const NAME = /^(?:[\w.-]+:)?([\w.-]+)/
const ATTRIBUTE = /\s+([\w.:-]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function fault(): TableFault {
  return new TableFault('the workbook is damaged: save it again')
}

function characterOf(digits: string): string {
  const code = digits.startsWith('x') ? Number.parseInt(digits.slice(1), 16) : Number.parseInt(digits, 10)
  if (!(code > 0 && code <= 0x10ffff) || (code >= 0xd800 && code <= 0xdfff)) throw fault()
  return String.fromCodePoint(code)
}

/** The five entities that XML has and characters by number. A document cannot bring entities of its own, so none can grow. */
function unescaped(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#(x[0-9a-fA-F]{1,6}|[0-9]{1,7});|([a-z]{2,4});)?/g, (_, digits: string | undefined, name: string | undefined) => {
    const character = digits === undefined ? ENTITIES[name ?? ''] : characterOf(digits)
    if (character === undefined) throw fault()
    return character
  })
}

function attributesOf(tag: string, from: number): Map<string, string> {
  const attributes = new Map<string, string>()
  let at = from
  for (;;) {
    ATTRIBUTE.lastIndex = at
    const found = ATTRIBUTE.exec(tag)
    if (!found) break
    attributes.set(found[1] ?? '', unescaped(found[2] ?? found[3] ?? ''))
    at = ATTRIBUTE.lastIndex
  }
  if (tag.slice(at).trim() !== '') throw fault()
  return attributes
}

/** Where something ends that began at `from`. */
function endOf(xml: string, mark: string, from: number): number {
  const at = xml.indexOf(mark, from)
  if (at < 0) throw fault()
  return at
}

/** Where a tag ends: the values of its attributes may have the mark in them. */
function endOfTag(xml: string, from: number): number {
  let quote = ''
  for (let at = from; at < xml.length; at++) {
    const character = xml.charAt(at)
    if (quote !== '') quote = character === quote ? '' : quote
    else if (character === '>') return at
    else if (character === '"' || character === "'") quote = character
  }
  throw fault()
}

/**
 * Reads XML as workbooks have it: elements, attributes and text. A document type (and with it every entity of its own) is refused. Throws TableFault.
 */
export function readXml(xml: string, sink: XmlSink): void {
  const names: string[] = []
  let at = xml.startsWith('\ufeff') ? 1 : 0
  while (at < xml.length) {
    const tag = xml.indexOf('<', at)
    const text = xml.slice(at, tag < 0 ? xml.length : tag)
    if (names.length > 0) sink.text(unescaped(text))
    else if (text.trim() !== '') throw fault()
    if (tag < 0) break
    if (xml.startsWith('<!--', tag)) at = endOf(xml, '-->', tag + 4) + 3
    else if (xml.startsWith('<?', tag)) at = endOf(xml, '?>', tag + 2) + 2
    else if (xml.startsWith('<![CDATA[', tag)) {
      const end = endOf(xml, ']]>', tag + 9)
      if (names.length === 0) throw fault()
      sink.text(xml.slice(tag + 9, end))
      at = end + 3
    } else if (xml.startsWith('<!', tag)) throw new TableFault('the workbook declares a document type, which none does that a spreadsheet wrote: save it again')
    else {
      const end = endOfTag(xml, tag)
      element(xml.slice(tag + 1, end), names, sink)
      at = end + 1
    }
  }
  if (names.length > 0) throw fault()
}

function element(tag: string, names: string[], sink: XmlSink): void {
  if (tag.startsWith('/')) {
    const name = NAME.exec(tag.slice(1).trim())?.[1]
    if (name === undefined || names.pop() !== name) throw fault()
    sink.close(name)
    return
  }
  const isEmpty = tag.endsWith('/')
  const inner = isEmpty ? tag.slice(0, -1) : tag
  const found = NAME.exec(inner)
  const name = found?.[1]
  if (!found || name === undefined || names.length >= DEPTH_MAX) throw fault()
  sink.open(name, attributesOf(inner, found[0].length))
  if (isEmpty) sink.close(name)
  else names.push(name)
}
