-- Whatever people decide, in one table: which organisation it belongs to, whether it still waits for them, and what it is found by. What it is about stays in the
-- table of its own kind, under the same id.

create table if not exists proposal (
  org_id uuid not null references organisation (id),
  subject_id uuid not null,
  kind text not null check (kind ~ '^[a-z][a-z_]{0,39}$'),
  -- Of the intent that people approve; null for what is decided in the console.
  intent_hash bytea check (octet_length(intent_hash) = 32),
  -- Null where the server proposed it on its schedule.
  initiator uuid,
  wallet_id uuid,
  -- What changes rules and keys stands before what is decided by them.
  rank smallint not null check (rank >= 0),
  -- What a keyword finds, a line each.
  words text not null,
  is_open boolean not null,
  -- Null where it waits without an end.
  expires_at bigint,
  created_at bigint not null check (created_at >= 0),
  primary key (org_id, subject_id),
  unique (org_id, intent_hash),
  foreign key (org_id, initiator) references person (org_id, id),
  foreign key (org_id, wallet_id) references wallet (org_id, id)
);
alter table proposal enable row level security;
drop policy if exists own_organisation on proposal;
create policy own_organisation on proposal to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on proposal;
create policy all_organisations on proposal to holdfast_system using (true);
grant select, insert, update (is_open) on proposal to holdfast_app;
grant select, insert, update (is_open) on proposal to holdfast_system;

create index if not exists proposal_hash on proposal (intent_hash);
-- A page of the list is read from one of these.
create index if not exists proposal_waiting on proposal (org_id, rank, expires_at, subject_id) where is_open;
create index if not exists proposal_initiator on proposal (org_id, initiator, created_at, subject_id);

-- Whose word is asked for, and when they gave it.
create table if not exists proposal_person (
  org_id uuid not null,
  subject_id uuid not null,
  person_id uuid not null,
  spoken_at bigint check (spoken_at >= 0),
  primary key (org_id, subject_id, person_id),
  foreign key (org_id, subject_id) references proposal (org_id, subject_id),
  foreign key (org_id, person_id) references person (org_id, id)
);
alter table proposal_person enable row level security;
drop policy if exists own_organisation on proposal_person;
create policy own_organisation on proposal_person to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on proposal_person;
create policy all_organisations on proposal_person to holdfast_system using (true);
grant select, insert, update (spoken_at) on proposal_person to holdfast_app;
grant select, insert, update (spoken_at) on proposal_person to holdfast_system;

create index if not exists proposal_person_spoken on proposal_person (org_id, person_id, spoken_at, subject_id) where spoken_at is not null;

-- What there is already, open and past. The owner of the tables is let through the wall for as long as this takes. Whose word an open one waits for follows from
-- the policy, which is not read here: the server adds it when it starts.
alter table person no force row level security;
alter table wallet no force row level security;
alter table sub_wallet no force row level security;
alter table approval no force row level security;
alter table transfer_order no force row level security;
alter table policy_change no force row level security;
alter table key_change no force row level security;
alter table signer_order no force row level security;
alter table deposit no force row level security;
alter table deposit_claim no force row level security;

insert into proposal (org_id, subject_id, kind, intent_hash, initiator, wallet_id, rank, words, is_open, expires_at, created_at)
select o.org_id, o.id,
    case
      when o.replaces is not null then case o.kind when 'cancel' then 'cancel' else 'speed_up' end
      when o.kind = 'web3' then 'contract_call'
      when o.kind in ('stake', 'stake_change') then 'stake'
      when o.kind = 'deposit_child' then 'deposit_lift'
      when o.contract like 'erc%/%' then 'nft'
      else 'transfer'
    end,
    o.intent_hash, o.initiator, o.wallet_id, 2, concat_ws(E'\n', o.id, o.address_to, o.symbol, nullif(o.remark, ''), p.name), o.state = 'approving', o.expires_at, o.created_at
  from transfer_order o left join person p on p.org_id = o.org_id and p.id = o.initiator
union all
select c.org_id, c.id, 'policy_change', c.intent_hash, c.initiator, null, 0, concat_ws(E'\n', c.id, 'v' || (c.base_version + 1), p.name), c.state = 'approving',
    c.expires_at, c.created_at
  from policy_change c left join person p on p.org_id = c.org_id and p.id = c.initiator
union all
select k.org_id, k.id, 'key_change', k.intent_hash, k.initiator, k.wallet_id, 0, concat_ws(E'\n', k.id, w.name, p.name), k.state = 'approving', k.expires_at,
    k.created_at
  from key_change k join wallet w on w.org_id = k.org_id and w.id = k.wallet_id left join person p on p.org_id = k.org_id and p.id = k.initiator
union all
select s.org_id, s.id, 'signer_order', s.intent_hash, s.initiator, null, 0, concat_ws(E'\n', s.id, p.name), s.state = 'approving', s.expires_at, s.created_at
  from signer_order s left join person p on p.org_id = s.org_id and p.id = s.initiator
union all
select c.org_id, c.id, 'deposit_claim', null, c.asked_by, s.wallet_id, 1, concat_ws(E'\n', c.id, d.txid, d.address, nullif(d.symbol, ''), c.comment, c.reason, p.name),
    c.state = 'asked', null, c.asked_at
  from deposit_claim c join deposit d on d.org_id = c.org_id and d.id = c.deposit_id join sub_wallet s on s.org_id = d.org_id and s.id = d.sub_wallet_id
    left join person p on p.org_id = c.org_id and p.id = c.asked_by
  where c.state <> 'kept'
on conflict do nothing;

insert into proposal_person (org_id, subject_id, person_id, spoken_at)
select p.org_id, p.subject_id, a.person_id, a.created_at from proposal p join approval a on a.org_id = p.org_id and a.intent_hash = p.intent_hash
union all
select c.org_id, c.id, c.decided_by, c.decided_at from deposit_claim c where c.state in ('confirmed', 'refused')
on conflict do nothing;

alter table person force row level security;
alter table wallet force row level security;
alter table sub_wallet force row level security;
alter table approval force row level security;
alter table transfer_order force row level security;
alter table policy_change force row level security;
alter table key_change force row level security;
alter table signer_order force row level security;
alter table deposit force row level security;
alter table deposit_claim force row level security;
alter table proposal force row level security;
alter table proposal_person force row level security;
