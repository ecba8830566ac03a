import { AppError, demandNewKey, MAX_FORM_BYTES, MAX_FORM_KEYS, putText } from '@holdfast/contract'

const HEAD_BYTES_MAX = 2048
const NAME_MAX = 255
const CRLF = Buffer.from('\r\n')
const HEAD_END = Buffer.from('\r\n\r\n')
const BOUNDARY = /^multipart\/form-data; *boundary=(?:"([\w'()+,./:=?-]{1,70})"|([\w'+.-]{1,70}))$/i
const DISPOSITION = /^content-disposition: *form-data; *name="([^"\r\n]*)"(?:; *filename="((?:[^"\\\r\n]|\\.)*)")?$/i
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function refuse(field: string, reason: string, cause?: unknown): never {
  throw new AppError('invalid_parameters', { cause, details: { field, reason } })
}

function textOf(bytes: Uint8Array, field: string): string {
  try {
    return strictUtf8.decode(bytes)
  } catch (cause) {
    return refuse(field, 'it is not valid UTF-8', cause)
  }
}

type Part = { name: string; fileName: string | undefined; pieces: Uint8Array[]; bytes: number }

function partOf(head: Buffer): Part {
  const lines = textOf(head, 'form').split('\r\n')
  const dispositions = lines.flatMap((line) => DISPOSITION.exec(line) ?? [])
  const [, name, fileName] = dispositions
  // A second one would be read differently by whoever reads it after us.
  if (name === undefined || dispositions.length !== 3) return refuse('form', 'a part has no name')
  if ((fileName?.length ?? 0) > NAME_MAX) return refuse(name, `it must have at most ${NAME_MAX} characters`)
  return { name, fileName, pieces: [], bytes: 0 }
}

/** Takes the pieces of a body as they come, and gives each part to `take` once it is whole. What is not understood is refused at once. */
class PartReader {
  private readonly delimiter: Buffer
  private readonly take: (part: Part) => void
  private rest: Buffer = CRLF
  private part: Part | undefined
  private state: 'body' | 'line' | 'head' | 'end' = 'body'

  constructor(boundary: string, take: (part: Part) => void) {
    this.delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1')
    this.take = take
  }

  push(chunk: Uint8Array): void {
    this.rest = this.rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([this.rest, chunk])
    while (this.step()) continue
  }

  /** Throws unless the last part was closed. */
  end(): void {
    if (this.state !== 'end') refuse('form', 'it ends too early')
  }

  private cut(length: number): Buffer {
    const piece = this.rest.subarray(0, length)
    this.rest = this.rest.subarray(length)
    return piece
  }

  private keep(piece: Buffer): void {
    if (piece.length === 0) return
    // Nothing stands before the first boundary in what browsers and programs send.
    if (!this.part) return refuse('form', 'something stands before its first part')
    this.part.bytes += piece.length
    if (this.part.fileName === undefined && this.part.bytes > MAX_FORM_BYTES) throw new AppError('body_too_large', { details: { limit: MAX_FORM_BYTES } })
    this.part.pieces.push(piece)
  }

  private step(): boolean {
    switch (this.state) {
      case 'body': {
        const at = this.rest.indexOf(this.delimiter)
        if (at < 0) {
          // The end of what has come may be the beginning of a boundary.
          this.keep(this.cut(Math.max(0, this.rest.length - this.delimiter.length + 1)))
          return false
        }
        this.keep(this.cut(at))
        this.cut(this.delimiter.length)
        if (this.part) this.take(this.part)
        this.part = undefined
        this.state = 'line'
        return true
      }
      case 'line': {
        if (this.rest.length < 2) return false
        const after = this.cut(2).toString('latin1')
        if (after !== '\r\n' && after !== '--') refuse('form', 'a boundary is followed by something else')
        this.state = after === '--' ? 'end' : 'head'
        return true
      }
      case 'head': {
        const at = this.rest.indexOf(HEAD_END)
        if (at > HEAD_BYTES_MAX || (at < 0 && this.rest.length > HEAD_BYTES_MAX)) refuse('form', 'the head of a part is too long')
        if (at < 0) return false
        this.part = partOf(this.cut(at))
        this.cut(HEAD_END.length)
        this.state = 'body'
        return true
      }
      case 'end':
        if (!CRLF.subarray(0, this.rest.length).equals(this.rest)) refuse('form', 'something stands after its last part')
        return false
    }
  }
}

/**
 * The fields of a form in parts (multipart/form-data, RFC 7578), read as its bytes come: texts, and files as `File`. As strict as `parseForm`: no
 * field twice, at most 200, no more than `maxBytes` in all, of which the texts together are 64 KiB at most. Throws AppError `unsupported_content`,
 * `body_too_large` and `invalid_parameters`, the second before more than that was read.
 */
export async function readParts(body: AsyncIterable<Uint8Array>, contentType: string, maxBytes: number): Promise<Record<string, string | File>> {
  const [, quoted, plain] = BOUNDARY.exec(contentType) ?? []
  const boundary = quoted ?? plain
  if (boundary === undefined) throw new AppError('unsupported_content')
  const fields: Record<string, string | File> = Object.create(null)
  let count = 0
  let textBytes = 0
  const reader = new PartReader(boundary, ({ name, fileName, pieces, bytes }) => {
    if (++count > MAX_FORM_KEYS) refuse('form', `it has more than ${MAX_FORM_KEYS} fields`)
    demandNewKey(fields, name)
    if (fileName !== undefined) {
      fields[name] = new File(pieces as Uint8Array<ArrayBuffer>[], fileName)
      return
    }
    textBytes += bytes
    if (textBytes > MAX_FORM_BYTES) throw new AppError('body_too_large', { details: { limit: MAX_FORM_BYTES } })
    putText(fields, name, textOf(Buffer.concat(pieces), name))
  })
  let total = 0
  for await (const chunk of body) {
    total += chunk.length
    if (total > maxBytes) throw new AppError('body_too_large', { details: { limit: maxBytes } })
    reader.push(chunk)
  }
  reader.end()
  return fields
}
