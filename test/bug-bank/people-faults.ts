import type { PlantedFault } from './planted-faults.ts'

/** Faults around whose a key is, and around what leaves the machine: backups and sealed values. */
export const peopleFaults: PlantedFault[] = [
  {
    file: 'features/team/server/key-links.ts',
    original: 'confirmed_at: found.made_by === person.personId ? nowMs : null,',
    replacement: 'confirmed_at: nowMs,',
    claimedBy: 'features/team/server/team.test.ts',
    test: 'is not said to be made by its person',
    why: 'an administrator makes an approval key in the name of a colleague',
  },
  {
    file: 'features/strategy/server/next-policy.ts',
    original: 'if (added.some((each) => !each.confirmed)) throw',
    replacement: 'if (added.length > 99) throw',
    claimedBy: 'features/strategy/server/policy-change.test.ts',
    why: 'a key that its person never confirmed comes into the policy',
  },
  {
    file: 'packages/policy/src/key-origin.ts',
    original: "confirmed: ${confirmed ? 'yes' : 'no'})`",
    replacement: 'confirmed: yes)`',
    claimedBy: 'packages/policy/src/key-origin.test.ts',
    why: 'approvers read that a key was confirmed which was not',
  },
  {
    file: 'apps/cli/src/database/restore.ts',
    original: 'if (!isSignedBy(keys.signedBy, end.signature, content))',
    replacement: "if (typeof end.signature !== 'string')",
    claimedBy: 'apps/cli/src/database/backup.test.ts',
    why: 'a changed backup is restored, whoever signed it',
  },
  {
    file: 'features/session/server/seal-column.ts',
    original: 'return isNewest ? undefined : seal(place, secret)',
    replacement: 'return secret.length > 0 ? undefined : seal(place, secret)',
    claimedBy: 'features/session/server/seal-column.test.ts',
    why: 'a key that was replaced can never be thrown away',
  },
  {
    file: 'features/team/server/invite-member.ts',
    original: "if (row.state !== 'invited') throw new AppError('state_changed')",
    replacement: "if (row.state === 'removed') throw new AppError('state_changed')",
    claimedBy: 'features/team/server/team.test.ts',
    test: 'no way into the account of who has joined',
    why: 'whoever invited a member asks once more and signs in as them',
  },
  {
    file: 'features/team/server/change-member.ts',
    original: "if (role === 'owner') await useInvites(tx, { orgId, personId }, nowMs)",
    replacement: '',
    claimedBy: 'features/team/server/team.test.ts',
    test: 'before its person became an owner leads nowhere',
    why: 'an administrator joins as the owner whom they invited as less',
  },
  {
    file: 'features/wallet/server/apply-for-token.ts',
    original: 'looksLikeName(each.symbol, symbol)',
    replacement: 'each.symbol === symbol',
    claimedBy: 'features/wallet/server/added-token.test.ts',
    why: 'a worthless token is drawn like one that is listed',
  },
]
