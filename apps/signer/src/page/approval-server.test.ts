import { nodePorts } from '@holdfast/ports/node'
import { sha256 } from '@noble/hashes/sha2.js'
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { PAGE_FILES } from '../../page/page-headers.ts'
import { tempFolder } from '../testing/temp-folder.ts'
import { writePage } from '../testing/write-page.ts'
import { readApprovalPage } from './approval-server.ts'

it('the page is not served with a file that its HTML does not name: the hash of the HTML speaks for all of them', async (t) => {
  const folder = await tempFolder(t)
  const { disk } = nodePorts
  await writePage(folder)
  const { hash } = await readApprovalPage(disk, folder)
  assert.deepEqual(hash, sha256((await disk.read(`${folder}/index.html`))!))
  for (const name of PAGE_FILES.filter((each) => each !== 'index.html')) {
    await disk.writeAtomic(`${folder}/${name}`, new TextEncoder().encode('another'))
    await assert.rejects(readApprovalPage(disk, folder), { name: 'ConfigError', message: new RegExp(`${name} is not the file`) })
    await disk.remove(`${folder}/${name}`)
    await assert.rejects(readApprovalPage(disk, folder), { name: 'ConfigError', message: new RegExp(`${name} .*is not in`) })
    await writePage(folder)
  }
})
