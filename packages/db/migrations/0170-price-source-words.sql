-- Who says a price, in Chinese, where the feed says that too.
alter table asset_price add column if not exists source_zh text check (char_length(source_zh) between 1 and 100);
