-- What a keyword is looked for in, without the wide rows around it. A trigram index would not be used: row security lets only
-- operators that cannot leak be answered by an index.
create index if not exists transfer_order_words on transfer_order (org_id, created_at, id) include (txid, address_to, address_from, remark);
create index if not exists deposit_words on deposit (org_id, created_at, id)
  include (txid, from_address, address, state, credited_at, chain, tx_index);
