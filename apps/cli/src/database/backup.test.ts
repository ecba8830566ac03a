import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { copyFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { type Database, openDatabase, readTables } from '@holdfast/db'
import { createEmptyDatabase, insertSampleRows, openTestDatabase } from '@holdfast/db/test'
import { toHex } from '@holdfast/encoding'
import { assertConserved, credit, hold, reverse, settle } from '@holdfast/ledger'
import { linkPublicKey } from '@holdfast/link'
import { nodePorts } from '@holdfast/ports/node'
import { newId } from '@holdfast/units'
import { Decrypter, Encrypter, generateHybridIdentity, identityToRecipient } from 'age-encryption'
import { sql } from 'kysely'
import { backup, type BackupSummary } from './backup.ts'
import { signBackup } from './backup-seal.ts'
import { readBackup, restore } from './restore.ts'

const ports = nodePorts
const signingKey = new Uint8Array(32).fill(5)
const identity = await generateHybridIdentity()
const keys = { recipients: [await identityToRecipient(identity)], signingKey }
const opening = { identities: [identity], signedBy: linkPublicKey({ secretKey: signingKey }) }
const COIN = { chain: 'eip155:31337', contract: null }

describe('a backup', () => {
  let db: Database
  let folder: string
  let path: string
  let summary: BackupSummary
  let lines: string[]
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'holdfast-backup-'))
    path = join(folder, 'all.backup')
    db = await openTestDatabase()
    const { orgId, subWalletId } = await insertSampleRows(db, 'alpha')
    await insertSampleRows(db, 'beta')
    await payAndUndo(orgId, subWalletId)
    const pushKey = { id: 1, public_key: new Uint8Array(65).fill(4), sealed_secret: 'sealed', created_at: 1 }
    await db.asSystem((tx) => tx.insertInto('push_key').values(pushKey).execute())
    summary = await backup({ ports, db, path, keys })
    lines = await linesOf(path)
  })
  after(async () => {
    await db.close()
    await rm(folder, { recursive: true })
  })

  /** A chain of ledger transfers that close each other, with ids that do not sort in that order. */
  const payAndUndo = (orgId: string, subWalletId: string) =>
    db.asOrganisation(orgId, async (tx) => {
      const id = (n: number) => newId(1_000_000 - n, ports.random)
      const payments = [{ asset: COIN, amount: 7n, to: 'external' as const }]
      await credit(tx, [{ id: id(1), reference: 'a', nowMs: 1, subWalletId, asset: COIN, amount: 10n ** 20n }])
      let holdId = (await hold(tx, { id: id(2), reference: 'a', nowMs: 1, subWalletId, amounts: [{ asset: COIN, amount: 9n }] })).id
      for (let round = 1; round <= 5; round++) {
        const settled = await settle(tx, { id: id(2 * round + 1), holdId, nowMs: 1, payments })
        holdId = (await reverse(tx, { id: id(2 * round + 2), transferId: settled.id, nowMs: 1 })).id
      }
    })
  const everything = (database: Database) =>
    database.asSystem(async (tx) => {
      const tables = await readTables(tx)
      const rowsOf = async (name: string) => (await sql`select t::text as row from ${sql.table(name)} t order by 1`.execute(tx)).rows
      return Promise.all(tables.map(async ({ name }) => [name, await rowsOf(name)] as const))
    })
  const withEmpty = async (act: (url: string) => Promise<void>) => {
    const database = await createEmptyDatabase()
    await act(database.url).finally(() => database.drop())
  }
  const isEmpty = async (url: string) => {
    const database = await openDatabase({ ports, url })
    assert.deepEqual(
      (await everything(database)).flatMap(([, rows]) => rows),
      [],
    )
    await database.close()
  }
  /** Refused by its own content, before a database is even looked at. */
  const refused = async (name: string, content: Uint8Array, message: RegExp) => {
    const file = join(folder, name)
    await writeFile(file, content)
    await assert.rejects(restore({ ports, url: 'postgresql://nobody@127.0.0.1:1/none', path: file, keys: opening }), { name: 'BackupError', message }, name)
  }
  const linesOf = async (file: string) => {
    const decrypter = new Decrypter()
    decrypter.addIdentity(identity)
    return gunzipSync(await decrypter.decrypt(await readFile(file)))
      .toString()
      .trimEnd()
      .split('\n')
  }
  const seal = (content: Uint8Array) => {
    const encrypter = new Encrypter()
    encrypter.addRecipient(keys.recipients[0]!)
    return encrypter.encrypt(content)
  }
  /** A recipient is no secret: anybody can seal anything to it. */
  const pack = (changed: string[]) => seal(gzipSync(`${changed.join('\n')}\n`))
  const withEnd = (changed: string[], end: Record<string, unknown> = {}) => {
    const content = changed.slice(0, -1)
    const sha256 = createHash('sha256')
      .update(`${content.join('\n')}\n`)
      .digest('hex')
    return [...content, JSON.stringify({ ...JSON.parse(changed.at(-1)!), sha256, ...end })]
  }

  it('restores every row of every table exactly', () =>
    withEmpty(async (url) => {
      assert.deepEqual(await restore({ ports, url, path, keys: opening }), summary)
      const restored = await openDatabase({ ports, url })
      assert.deepEqual(await everything(restored), await everything(db))
      // The key by which push services know the installation is one.
      assert.ok((await everything(restored)).every(([table, rows]) => rows.length >= (table === 'push_key' ? 1 : 2)))
      await restored.asSystem(assertConserved)
      const again = await backup({ ports, db: restored, path: join(folder, 'again.backup'), keys })
      const rowsOf = async (file: string) => (await linesOf(file)).slice(1, -1)
      assert.deepEqual(await rowsOf(join(folder, 'again.backup')), await rowsOf(path))
      assert.deepEqual(again.tables, summary.tables)
      await restored.close()
    }))

  it('describes itself: format, migrations, tables with their counts, and money as text', () => {
    const header = JSON.parse(lines[0]!)
    assert.deepEqual([header.format, header.version], ['holdfast-backup', 2])
    assert.ok(header.migrations.every((each: { name: string; checksum: string }) => /^\d{4}-.*\.sql$/.test(each.name) && /^[0-9a-f]{64}$/.test(each.checksum)))
    assert.deepEqual(header.tables, summary.tables)
    const order = JSON.parse(lines[lines.findIndex((line) => line.startsWith('{"table":"transfer_order"')) + 1]!)
    assert.equal(order.amount, (2n ** 256n - 1n).toString())
    assert.match(order.intent_hash, /^\\x[0-9a-f]{64}$/)
    const { signature, ...end } = JSON.parse(lines.at(-1)!)
    assert.match(signature, /^[0-9a-f]{128}$/)
    assert.deepEqual(end, { end: true, sha256: summary.sha256, signedBy: toHex(opening.signedBy) })
  })

  it('can be read by its owner only', async () => {
    assert.equal((await stat(path)).mode & 0o777, 0o600)
  })

  it('never replaces a file', async () => {
    await assert.rejects(backup({ ports, db, path, keys }), { name: 'BackupError', message: /exists: give the backup a new name/ })
    assert.equal((await readBackup(ports, { path, keys: opening })).sha256, summary.sha256)
  })

  it('is of one moment though others write meanwhile', async () => {
    const one = join(folder, 'one-moment.backup')
    let writing = true
    const writer = (async () => {
      for (let i = 0; writing; i++) await insertSampleRows(db, `busy-${i}`)
    })()
    const { tables } = await backup({ ports, db, path: one, keys })
    writing = false
    await writer
    await withEmpty(async (url) => {
      await restore({ ports, url, path: one, keys: opening })
      const counts = Object.fromEntries(tables.map(({ name, rows }) => [name, rows]))
      assert.equal(counts.approval, counts.transfer_order)
      assert.equal(counts.slot_lease, counts.transfer_order)
    })
  })

  it('is refused where it was cut off, wherever, and named', async () => {
    const whole = await readFile(path)
    for (const length of [0, 1, 10, 100, Math.floor(whole.length / 2), whole.length - 9, whole.length - 1]) {
      await refused('cut.backup', whole.subarray(0, length), /cut\.backup is (no sealed backup|damaged).*\. Nothing was restored/)
    }
    for (const count of [0, 1, 2, lines.length - 2, lines.length - 1])
      await refused('lines.backup', await pack(lines.slice(0, count)), /lines\.backup is damaged/)
  })

  it('is refused where a byte was changed', async () => {
    const whole = await readFile(path)
    for (let at = 20; at < whole.length; at += Math.ceil(whole.length / 40)) {
      const changed = Uint8Array.from(whole)
      changed[at]! ^= 1
      await refused('byte.backup', changed, /byte\.backup is (no sealed backup|damaged).*Nothing was restored/)
    }
  })

  it('is refused where a row was changed, moved, left out or added by somebody who can pack it again', async () => {
    const at = lines.findIndex((line) => line.startsWith('{"table":"ledger_account"')) + 1
    const edits: Record<string, string[]> = {
      changed: lines.with(at, lines[at]!.replace(/"balance":"?\w+"?/, '"balance":"1000000"')),
      moved: lines.with(at, lines[at + 1]!).with(at + 1, lines[at]!),
      'left out': lines.toSpliced(at, 1),
      added: lines.toSpliced(at, 0, lines[at]!),
      followed: [...lines, '{}'],
    }
    for (const [name, edited] of Object.entries(edits)) {
      assert.notDeepEqual(edited, lines, name)
      await refused('edited.backup', await pack(edited), /edited\.backup is damaged/)
    }
  })

  it('is refused where somebody without the identity of the server wrote it, however whole it is', async () => {
    const at = lines.findIndex((line) => line.startsWith('{"table":"ledger_account"')) + 1
    const changed = withEnd(lines.with(at, lines[at]!.replace(/"balance":"?\w+"?/, '"balance":"1000000"')))
    const { createdAtMs } = JSON.parse(lines[0]!)
    const { sha256 } = JSON.parse(changed.at(-1)!)
    const own = signBackup(new Uint8Array(32).fill(6), { sha256, createdAtMs })
    const wrong = /was not signed by server [0-9a-f]{64}.*Nothing was restored/
    await refused('kept-signature.backup', await pack(changed), wrong)
    await refused('own-signature.backup', await pack(withEnd(changed, own)), wrong)
    await refused('own-claimed.backup', await pack(withEnd(changed, { ...own, signedBy: toHex(opening.signedBy) })), wrong)
    await refused('no-signature.backup', await pack(withEnd(changed, { signature: undefined })), wrong)
  })

  it('shows nothing of what it holds to whoever has the file alone', async () => {
    const whole = (await readFile(path)).toString('latin1')
    assert.doesNotMatch(whole, /holdfast-backup|alpha/)
    const stranger = { ...opening, identities: [await generateHybridIdentity()] }
    await assert.rejects(readBackup(ports, { path, keys: stranger }), { name: 'BackupError', message: /none of the identities given opens it/ })
    await assert.rejects(backup({ ports, db, path: `${path}.2`, keys: { ...keys, recipients: [] } }), { name: 'BackupError', message: /nobody is named/ })
    await assert.rejects(backup({ ports, db, path: `${path}.2`, keys: { ...keys, recipients: ['age1nonsense'] } }), {
      name: 'BackupError',
      message: /no age recipient/,
    })
    await assert.rejects(stat(`${path}.2`))
  })

  it('is refused where the file is something else', async () => {
    await refused('text.backup', Buffer.from('hello'), /text\.backup is no sealed backup/)
    await refused('old.backup', gzipSync('{"format":"holdfast-backup","version":1}\n'), /old\.backup is no sealed backup\. If an older release made it/)
    await refused('sealed.backup', await seal(Buffer.from('hello')), /sealed\.backup is damaged/)
    await refused('other.backup', await pack(['{"format":"other"}']), /other\.backup is no backup of Holdfast/)
    await refused('later.backup', await pack(['{"format":"holdfast-backup","version":3}']), /format 3, which this release does not read: use a newer release/)
    await assert.rejects(restore({ ports, url: 'postgresql://nobody@127.0.0.1:1/none', path: join(folder, 'none'), keys: opening }), {
      name: 'BackupError',
      message: /there is no file/,
    })
  })

  it('is not restored over anything', async () => {
    await assert.rejects(restore({ ports, url: db.url, path, keys: opening }), { name: 'BackupError', message: /the database is not empty \(\w+ has rows\)/ })
  })

  it('leaves an empty database empty where the file changes under its reader', () =>
    withEmpty(async (url) => {
      const file = join(folder, 'changing.backup')
      await copyFile(path, file)
      let reads = 0
      const readPieces: typeof ports.disk.readPieces = (name) => {
        const read = ports.disk.readPieces(name)
        return ++reads === 1
          ? read
          : (async function* () {
              for await (const piece of read) yield piece.subarray(0, piece.length - 20)
            })()
      }
      await assert.rejects(restore({ ports: { ...ports, disk: { ...ports.disk, readPieces } }, url, path: file, keys: opening }), {
        name: 'BackupError',
        message: /changing\.backup is damaged/,
      })
      await isEmpty(url)
    }))

  it('of an older release is restored as that release wrote it and then brought to this one', () =>
    withEmpty(async (url) => {
      const header = JSON.parse(lines[0]!)
      const older = await openDatabase({ ports, url, upTo: header.migrations[1].name })
      const orgId = newId(1, ports.random)
      await older.asSystem((tx) => tx.insertInto('organisation').values({ id: orgId, name: 'Old', state: 'draft', created_at: 1 }).execute())
      const file = join(folder, 'older.backup')
      await backup({ ports, db: older, path: file, keys })
      await older.close()
      await withEmpty(async (fresh) => {
        await restore({ ports, url: fresh, path: file, keys: opening })
        const restored = await openDatabase({ ports, url: fresh })
        assert.deepEqual(await restored.asSystem((tx) => tx.selectFrom('organisation').select('id').execute()), [{ id: orgId }])
        assert.equal((await restored.asSystem((tx) => tx.selectFrom('migration').select('name').execute())).length, header.migrations.length)
        await restored.close()
      })
    }))

  it('of another history of migrations is refused', () =>
    withEmpty(async (url) => {
      const header = JSON.parse(lines[0]!)
      header.migrations[0].checksum = '00'
      const changed = withEnd(lines.with(0, JSON.stringify(header)))
      const { sha256 } = JSON.parse(changed.at(-1)!)
      const signed = withEnd(changed, signBackup(signingKey, { sha256, createdAtMs: header.createdAtMs }))
      const file = join(folder, 'history.backup')
      await writeFile(file, await pack(signed))
      await assert.rejects(restore({ ports, url, path: file, keys: opening }), {
        name: 'BackupError',
        message: /made by another release \(its migration 0001-system\.sql is not ours\)/,
      })
    }))
})
