-- What the coin holds that carries an inscription, where an order sends one: it goes along with the token, in the network's own coin.
alter table transfer_order add column if not exists postage numeric(78,0) not null default 0 check (postage >= 0);
