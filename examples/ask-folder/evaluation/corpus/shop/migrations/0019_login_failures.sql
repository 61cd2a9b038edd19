create table login_failures (
  email text not null,
  at timestamptz not null default now()
);
create index login_failures_email on login_failures (email, at);
