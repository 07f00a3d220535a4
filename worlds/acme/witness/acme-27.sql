-- all premiums over all policies, those without a premium too
with paid as (
  select a.Policy_Amount_Identifier as amount_id, a.Policy_Amount as amount,
    d.Effective_Date as starts, d.Expiration_Date as ends, d.Policy_Coverage_Detail_Identifier as coverage_id,
    p.Policy_Identifier as policy_id, p.Policy_Number as policy_number
  from policy_amount a
  semi join premium m on m.Policy_Amount_Identifier = a.Policy_Amount_Identifier
  left join policy_coverage_detail d on d.Policy_Coverage_Detail_Identifier = a.Policy_Coverage_Detail_Identifier
    and d.Effective_Date = a.Effective_Date
  left join policy p on p.Policy_Identifier = d.Policy_Identifier
)
select cast(1.0 * (select sum(amount) from paid) / (select count(*) from policy) as decimal(18, 4)) as average_policy_size
