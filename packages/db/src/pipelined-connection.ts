import { at, known } from '@holdfast/units'
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import pg from 'pg'
import { prepareValue } from 'pg/lib/utils.js'
import { serialize } from 'pg-protocol'
import { noteQuestion } from './read-along.ts'
import { valueTypes } from './value-types.ts'

/** The number of statements whose plan and answer a connection remembers. It forgets the one unused for the longest time first. */
const REMEMBERED_MAX = 150
/** Statements that leave nothing on a connection but changes to tables. Any other may outlive its transaction. */
const LEAVES_NOTHING = /^[\s(]*(select|insert|update|delete|merge|with|start transaction|commit|rollback|savepoint|release savepoint)\b/i
/** The server no longer knows the statement, or answers in another shape since a table was changed. */
const FORGOTTEN = '26000'
const CHANGED = '0A000'

/** How the columns of an answer are read. */
type Column = { name: string; read: (text: string) => unknown }
/** A query that was sent before. From the second time on it has a name at the server, which then neither parses nor plans it again. */
type Statement = { text: string; name: string; isPrepared: boolean; columns: Column[] | undefined }
type Row = Record<string, unknown>
type Answer = { command: string; count: number; rows: Row[] }
type Question = { text: string; values: (string | Buffer | null)[]; resolve(answer: Answer): void; reject(cause: Error): void }
/** What all that is sent together begins with, and why the server broke something of it off, if it did. */
type Turns = { first: Question; cause: Error | undefined }

/** Whether an error says that what the connection remembers is outdated. A transaction that runs again does so on another one. */
export const isStaleStatement = (error: unknown): boolean => {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  return code === FORGOTTEN || (code === CHANGED && String(message).startsWith('cached plan'))
}

/**
 * A connection that sends all queries of one turn of the event loop together and has the server answer them in one go: the beginning of a transaction with
 * its first query, and queries that do not need each other's answers. They run in their order; after one fails the others do not run.
 */
export class PipelinedConnection implements DatabaseConnection {
  readonly #client: pg.ClientBase
  readonly #statements = new Map<string, Statement>()
  readonly #forgotten: string[] = []
  #waiting: Question[] = []
  #turns: Turns | undefined
  #settled: (() => void)[] = []
  #isBusy = false
  #named = 0
  /** It may hold something that the next transaction must not meet. */
  isSpoiled = false
  /** Whether what could go along has to be asked and answered: its transaction runs again, because something that went along was refused. */
  demandsAnswers = false

  constructor(client: pg.ClientBase) {
    this.#client = client
  }

  /** Sends the query with all others of this turn. */
  ask(text: string, values: readonly unknown[] = []): Promise<Answer> {
    const answer = this.prepend(text, values)
    if (!this.#isBusy) this.#sendSoon()
    return answer
  }

  /** Sends the query with the next one; alone it is not sent. */
  prepend(text: string, values: readonly unknown[] = []): Promise<Answer> {
    if (!LEAVES_NOTHING.test(text)) this.isSpoiled = true
    noteQuestion(text)
    if (this.#turns?.cause) return Promise.reject(this.#turns.cause)
    return new Promise((resolve, reject) => {
      this.#waiting.push({ text, values: values.map(prepareValue), resolve, reject })
    })
  }

  /** From here on all that is sent together begins with this query, and is a transaction of its own. After one of them failed nothing more is asked. */
  beginTurns(text: string, values: readonly unknown[]): void {
    this.#turns = { first: { text, values: values.map(prepareValue), resolve() {}, reject() {} }, cause: undefined }
  }

  /** Ends that, once all that was asked is answered. Returns why the server broke something of it off, if it did. */
  async endTurns(): Promise<Error | undefined> {
    if (!this.#isBusy && this.#waiting.length > 0) this.#sendSoon()
    if (this.#isBusy) await new Promise<void>((resolve) => this.#settled.push(resolve))
    const cause = this.#turns?.cause
    this.#turns = undefined
    return cause
  }

  /** Whether something was asked that is not sent yet. */
  get hasWaiting(): boolean {
    return this.#waiting.length > 0
  }

  /** Drops what was not sent yet: nobody needs the answers any more. */
  forgetWaiting(): void {
    for (const { reject } of this.#waiting.splice(0)) reject(new Error('the transaction was given up'))
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { command, count, rows } = await this.answer(sql, parameters)
    return { rows: rows as R[], ...(CHANGES.has(command) && { numAffectedRows: BigInt(count) }) }
  }

  /** The same as `ask`; an error leads to the caller. */
  async answer(text: string, values: readonly unknown[]): Promise<Answer> {
    try {
      return await this.ask(text, values)
    } catch (cause) {
      // The stack that leads to the socket says nothing; this one leads to the caller.
      if (cause instanceof Error) Error.captureStackTrace(cause)
      throw cause
    }
  }

  streamQuery(): never {
    throw new Error('answers are not streamed')
  }

  #sendSoon(): void {
    this.#isBusy = true
    // After all queries of this turn.
    process.nextTick(() => this.#send())
  }

  #send(): void {
    const turns = this.#turns
    // What was asked while a turn failed is not asked in another one.
    if (turns?.cause) for (const { reject } of this.#waiting.splice(0)) reject(turns.cause)
    if (this.#waiting.length === 0) return this.#settle()
    const questions = turns ? [turns.first, ...this.#waiting] : this.#waiting
    const asked = questions.map((question) => ({ question, statement: this.#statementOf(question.text) }))
    const forgotten = this.#forgotten.splice(0)
    this.#waiting = []
    const onEnd = (cause?: Error) => {
      if (turns && cause) turns.cause ??= cause
      if (isStaleStatement(cause)) this.isSpoiled = true
      if (cause) this.#forgotten.push(...forgotten)
      if (this.#waiting.length > 0) this.#sendSoon()
      else this.#settle()
    }
    this.#client.query(new Batch(asked, forgotten, onEnd))
  }

  /** Everything that was asked is answered. */
  #settle(): void {
    this.#isBusy = false
    for (const settled of this.#settled.splice(0)) settled()
  }

  #statementOf(text: string): Statement {
    const former = this.#statements.get(text)
    const statement = former ?? { text, name: '', isPrepared: false, columns: undefined }
    // A query that comes only once is not worth a name.
    if (former?.name === '') former.name = `q${++this.#named}`
    // The order of a map is the order in which its keys were set.
    this.#statements.delete(text)
    this.#statements.set(text, statement)
    if (this.#statements.size > REMEMBERED_MAX) {
      const [oldest] = this.#statements.values()
      if (oldest) this.#statements.delete(oldest.text)
      if (oldest?.name) this.#forgotten.push(oldest.name)
    }
    return statement
  }
}

const CHANGES: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

type Asked = { question: Question; statement: Statement }
/** What the library's types leave out. */
type Wire = pg.Connection & { sendCopyFail(reason: string): void }

/** Several queries under one synchronisation of the protocol: the server runs them one after another and answers all of them at once. */
class Batch implements pg.Submittable {
  readonly #asked: readonly Asked[]
  readonly #forgotten: readonly string[]
  readonly #onEnd: (cause?: Error) => void
  #answered = 0
  #columns: Column[] | undefined
  #rows: Row[] = []

  constructor(asked: readonly Asked[], forgotten: readonly string[], onEnd: (cause?: Error) => void) {
    this.#asked = asked
    this.#forgotten = forgotten
    this.#onEnd = onEnd
  }

  /** Each query, for tests that listen. */
  toString(): string {
    return this.#asked.map(({ question }) => question.text).join('; ')
  }

  submit(connection: pg.Connection): void {
    const messages: Uint8Array[] = []
    const sent = new Set<Statement>()
    for (const { question, statement } of this.#asked) {
      const { text, name } = statement
      const isPrepared = statement.isPrepared || (name !== '' && sent.has(statement))
      if (!isPrepared) {
        // A statement of this name may exist if a batch broke off after it was prepared.
        if (name !== '') messages.push(serialize.close({ type: 'S', name }))
        messages.push(serialize.parse({ text, name }))
      }
      sent.add(statement)
      messages.push(serialize.bind({ statement: name, values: question.values }))
      if (!statement.isPrepared) messages.push(serialize.describe({ type: 'P', name: '' }))
      messages.push(serialize.execute({}))
    }
    for (const name of this.#forgotten) messages.push(serialize.close({ type: 'S', name }))
    messages.push(serialize.sync())
    connection.stream.write(Buffer.concat(messages))
  }

  handleRowDescription({ fields }: { fields: pg.FieldDef[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({ name, read: valueTypes.getTypeParser(dataTypeID, 'text') as Column['read'] }))
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    this.#columns ??= known(this.#asked[this.#answered]?.statement.columns, 'the description of an answer')
    const row: Row = {}
    let i = 0
    for (const { name, read } of this.#columns) {
      const text = fields[i++] ?? null
      row[name] = text === null ? null : read(text)
    }
    this.#rows.push(row)
  }

  handleCommandComplete({ text }: { text: string }): void {
    const { question, statement } = at(this.#asked, this.#answered++)
    if (statement.name !== '' && !statement.isPrepared) Object.assign(statement, { isPrepared: true, columns: this.#columns ?? [] })
    const words = text.split(' ')
    question.resolve({ command: words[0] ?? '', count: Number(words.at(-1)), rows: this.#rows })
    this.#columns = undefined
    this.#rows = []
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' })
  }

  /** The server skips what follows, and the library sends the next batch once the server is ready for it. */
  handleError(cause: Error): void {
    for (const { question } of this.#asked.slice(this.#answered)) question.reject(cause)
    this.#onEnd(cause)
  }

  handleReadyForQuery(): void {
    this.#onEnd()
  }

  handleCopyInResponse(connection: Wire): void {
    connection.sendCopyFail('nothing is copied in')
  }

  handleCopyData(): void {}
}
