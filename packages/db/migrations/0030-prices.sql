-- What an asset was worth, as the feed named in the configuration said it. The same for every organisation, and none may write it.
-- `price` is in 10^-24 of the currency for one whole coin.

create table if not exists asset_price (
  chain text not null check (chain ~ '^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$'),
  contract text not null check (char_length(contract) <= 128),
  currency text not null check (currency ~ '^[a-z]{3}$'),
  quoted_at bigint not null check (quoted_at >= 0),
  price numeric(78,0) not null check (price > 0),
  source text not null check (char_length(source) between 1 and 100),
  primary key (chain, contract, currency, quoted_at)
);
alter table asset_price enable row level security;
alter table asset_price force row level security;
drop policy if exists own_organisation on asset_price;
create policy own_organisation on asset_price to holdfast_app using (true);
drop policy if exists all_organisations on asset_price;
create policy all_organisations on asset_price to holdfast_system using (true);
grant select on asset_price to holdfast_app;
grant select, insert, delete on asset_price to holdfast_system;
