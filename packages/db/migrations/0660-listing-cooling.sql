-- How long an address of the whitelist waits, by the policy under which people were asked to put it on. Entries from before waited for a day.
alter table book_entry add column if not exists cooling_ms bigint not null default 86400000 check (cooling_ms >= 0);
grant update (cooling_ms) on book_entry to holdfast_app;
