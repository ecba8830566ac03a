-- When a device was last told that something waits, for its owner to see; null while it has been told nothing.
alter table push_subscription add column if not exists last_told_at bigint check (last_told_at >= 0);
-- What is known of earlier ones: a device is told within moments of when the proposal began to wait.
update push_subscription set last_told_at = told_at where last_told_at is null and told_at > created_at;
grant update (last_told_at) on push_subscription to holdfast_system;
