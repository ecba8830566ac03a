import assert from 'node:assert/strict'
import { test } from 'node:test'
import { permissionsOfRole } from '../../session/permissions.ts'
import enUs from '../locales/en-US.json' with { type: 'json' }
import { rightsByArea } from './rights-by-area.ts'

test('rights are gathered by what they are about, the usual ones first, and none is lost', () => {
  assert.deepEqual(rightsByArea(['kyt.read', 'withdraw.cancel', 'withdraw.create', 'wallet.create', 'wallet.read']), [
    { area: 'wallet', acts: ['read', 'create'] },
    { area: 'withdraw', acts: ['cancel', 'create'] },
    { area: 'kyt', acts: ['read'] },
  ])
})

test('every right of every role has words', () => {
  for (const permissions of Object.values(permissionsOfRole)) {
    const rights = rightsByArea(permissions)
    assert.equal(rights.flatMap(({ acts }) => acts).length, permissions.length)
    for (const { area, acts } of rights) {
      assert.ok(Object.hasOwn(enUs.right.area, area), area)
      for (const act of acts) assert.ok(Object.hasOwn(enUs.right.act, act), act)
    }
  }
})
