-- What came into each sub-wallet and what left it, by day and coin, so that pictures of a quarter cost what they show. Written by the posting that moves the money: the
-- posting has locked the sub-wallet by then, so nobody else waits for these rows. Tokens of collections are left out: each is one of its kind.
-- `from_own` of a credit: it comes from an address of the same organisation, whose books it leaves and enters.
alter table ledger_transfer add column if not exists from_own boolean not null default false;

create table if not exists daily_flow (
  org_id uuid not null,
  sub_wallet_id uuid not null,
  -- Days since 1970 in UTC. What the chain takes back is taken off the day on which it was booked.
  day integer not null check (day >= 0),
  chain text not null check (chain ~ '^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$'),
  contract text not null check (char_length(contract) <= 128),
  -- None is below zero, which no check can say: a row that is added to is checked first as if it were new.
  amount_in numeric(78,0) not null,
  amount_out numeric(78,0) not null,
  fee numeric(78,0) not null,
  -- The part of what came in that came from own addresses.
  from_own numeric(78,0) not null,
  primary key (org_id, sub_wallet_id, day, chain, contract),
  foreign key (org_id, sub_wallet_id) references sub_wallet (org_id, id)
);
alter table daily_flow enable row level security;
drop policy if exists own_organisation on daily_flow;
create policy own_organisation on daily_flow to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on daily_flow;
create policy all_organisations on daily_flow to holdfast_system using (true);
grant select, insert, update (amount_in, amount_out, fee, from_own) on daily_flow to holdfast_app;
grant select, insert, update (amount_in, amount_out, fee, from_own) on daily_flow to holdfast_system;
create index if not exists daily_flow_day on daily_flow (org_id, day);

-- What moved before. The owner of the tables is let through the wall for as long as this takes.
alter table ledger_account no force row level security;
alter table ledger_transfer no force row level security;
alter table ledger_entry no force row level security;
alter table deposit no force row level security;
alter table address no force row level security;
update ledger_transfer set from_own = true
  from deposit d join address a on a.org_id = d.org_id and a.chain = d.chain and a.address = d.from_address
  where ledger_transfer.kind = 'credit' and ledger_transfer.reference ~ '^deposit:[-0-9a-f]{36}:' and not ledger_transfer.from_own
    and d.org_id = ledger_transfer.org_id and d.id = split_part(ledger_transfer.reference, ':', 2)::uuid;
insert into daily_flow (org_id, sub_wallet_id, day, chain, contract, amount_in, amount_out, fee, from_own)
select m.org_id, m.sub_wallet_id, m.created_at / 86400000, m.chain, m.contract,
    coalesce(sum(-m.external) filter (where m.kind = 'credit'), 0), coalesce(sum(m.external) filter (where m.kind = 'settle'), 0), sum(m.fee),
    coalesce(sum(-m.external) filter (where m.kind = 'credit' and m.from_own), 0)
  from (
    select t.org_id, t.id, t.kind, t.from_own, t.created_at, a.chain, a.contract,
      coalesce(sum(e.amount) filter (where a.kind = 'external'), 0) as external, coalesce(sum(e.amount) filter (where a.kind = 'fee'), 0) as fee,
      (array_agg(a.sub_wallet_id) filter (where a.sub_wallet_id is not null))[1] as sub_wallet_id
    from ledger_transfer t
      join ledger_entry e on e.org_id = t.org_id and e.transfer_id = t.id
      join ledger_account a on a.org_id = e.org_id and a.id = e.account_id
    where t.kind in ('credit', 'settle') and a.contract not like '%/%'
      and not exists (select from ledger_transfer r where r.org_id = t.org_id and r.closes = t.id and r.kind = 'reversal')
    group by t.org_id, t.id, a.chain, a.contract
  ) m
  where m.external <> 0 or m.fee <> 0
  group by 1, 2, 3, 4, 5
on conflict do nothing;
alter table ledger_account force row level security;
alter table ledger_transfer force row level security;
alter table ledger_entry force row level security;
alter table deposit force row level security;
alter table address force row level security;
alter table daily_flow force row level security;
