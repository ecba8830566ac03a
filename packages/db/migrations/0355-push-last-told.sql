-- When a device was last told that something waits, for its owner to see; null while it has been told nothing.
alter table push_subscription add column if not exists last_told_at bigint check (last_told_at >= 0);
grant update (last_told_at) on push_subscription to holdfast_system;
