import assert from 'node:assert/strict'
import { test } from 'node:test'
import { permissionsOf, permissionsOfRole, roles } from './permissions.ts'

test('a role that does not exist has no permission', () => {
  for (const role of ['', 'root', 'Owner', '__proto__', 'constructor', 'toString']) assert.equal(permissionsOf(role).size, 0, role)
})

test('permissions are named alike and given once', () => {
  for (const role of roles) {
    const names = permissionsOfRole[role]
    assert.equal(new Set(names).size, names.length, role)
    for (const name of names) assert.match(name, /^[a-z][a-z0-9_]*\.[a-z_]+$/)
  }
})

test('who may only look can change nothing, and who approves does not create', () => {
  for (const name of permissionsOfRole.viewer) assert.match(name, /\.read$/)
  assert.ok(!permissionsOf('approver').has('withdraw.create'))
  assert.ok(!permissionsOf('finance').has('withdraw.audit'))
  assert.ok(!permissionsOf('finance').has('policy.propose'))
  assert.ok(!permissionsOf('admin').has('key.recover'))
})

test('an owner may do whatever any role may', () => {
  const owner = permissionsOf('owner')
  for (const role of roles) for (const name of permissionsOfRole[role]) assert.ok(owner.has(name), `${role} ${name}`)
})
