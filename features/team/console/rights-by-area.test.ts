import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { permissionsOfRole } from '../../session/permissions.ts'
import enUs from '../locales/en-US.json' with { type: 'json' }
import { ABSENT, rightsByArea, toldRights } from './rights-by-area.ts'

test('rights are gathered by what they are about, the usual ones first, and of parts that do not exist there is none', () => {
  assert.deepEqual(rightsByArea(['trade.read', 'withdraw.cancel', 'withdraw.create', 'wallet.create', 'wallet.read']), [
    { area: 'wallet', acts: ['read', 'create'] },
    { area: 'withdraw', acts: ['cancel', 'create'] },
  ])
  assert.deepEqual(toldRights(['trade.read', 'wallet.read']), ['wallet.read'], 'nor is it counted')
})

test('every right of every role has words', () => {
  for (const permissions of Object.values(permissionsOfRole)) {
    const rights = rightsByArea(permissions)
    assert.equal(rights.flatMap(({ acts }) => acts).length, permissions.filter((each) => !ABSENT.includes(each.split('.')[0]!)).length)
    for (const { area, acts } of rights) {
      assert.ok(Object.hasOwn(enUs.right.area, area), area)
      for (const act of acts) assert.ok(Object.hasOwn(enUs.right.act, act), act)
    }
  }
})

test('a part whose rights are not told has no call that asks for one', () => {
  const features = new URL('../../', import.meta.url)
  const contracts = readdirSync(features, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('contract.ts'))
  const asked = contracts.flatMap((path) => [...readFileSync(new URL(path, features), 'utf8').matchAll(/permission: '(\w+)\./g)].map(([, area]) => area!))
  assert.ok(asked.includes('wallet'))
  assert.deepEqual(
    ABSENT.filter((area) => asked.includes(area)),
    [],
  )
})
