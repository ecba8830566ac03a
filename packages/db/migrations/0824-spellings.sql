-- What signs an order of door two does not tell capital letters from small ones, so that each id of a request is used in the spelling in which it came
-- first. For what was asked for before that was kept, it is the spelling of the oldest order. The owner of the tables is let through the wall for as long as
-- this takes.
alter table idempotency no force row level security;
alter table transfer_order no force row level security;
alter table machine_rsa no force row level security;
alter table person no force row level security;
insert into idempotency (org_id, request_id, kind, body_hash, result_id, created_at)
select o.org_id, 'spelling:' || o.initiator || ':' || lower(i.request_id), 'request_spelling', decode(repeat('00', 32), 'hex'), '=' || i.request_id,
  i.created_at
from transfer_order o join idempotency i on i.org_id = o.org_id and i.result_id = o.id::text
where exists (select from machine_rsa r where r.org_id = o.org_id)
  and not exists (select from person p where p.org_id = o.org_id and p.id = o.initiator)
  and i.request_id ~ '^[A-Za-z0-9_-]{8,64}$'
order by o.created_at, i.request_id
on conflict do nothing;
alter table idempotency force row level security;
alter table transfer_order force row level security;
alter table machine_rsa force row level security;
alter table person force row level security;
