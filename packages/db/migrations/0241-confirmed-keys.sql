-- Who made the link of an approval key, and whether the person whose key it is said that it is theirs. What was made before is not confirmed.
alter table key_invite add column if not exists made_by uuid;
alter table approval_key add column if not exists link_by uuid;
alter table approval_key add column if not exists confirmed_at bigint check (confirmed_at >= 0);
alter table approval_key add column if not exists denied_at bigint check (denied_at is null or (denied_at >= 0 and confirmed_at is null));
grant update (confirmed_at, denied_at) on approval_key to holdfast_app;
alter table member_event drop constraint if exists member_event_kind_check;
alter table member_event add constraint member_event_kind_check check (kind in ('invited', 'invited_again', 'joined', 'role_changed', 'suspended', 'resumed', 'removed', 'key_link', 'key_enrolled', 'key_confirmed', 'key_denied'));
