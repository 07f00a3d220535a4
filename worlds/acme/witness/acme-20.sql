-- all policies
select Policy_Number as policy_number, Effective_Date as effective_date, Expiration_Date as expiration_date from policy
