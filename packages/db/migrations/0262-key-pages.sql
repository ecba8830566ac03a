-- At which approval page a link makes a key, and a key was made; null for what was made while there was one page.
alter table key_invite add column if not exists page text check (page <> '');
alter table approval_key add column if not exists page text check (page <> '');
