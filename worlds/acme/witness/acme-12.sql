-- each premium on its own with its policy and holder, as published; tieout asks whether they are to be added up
with paid as (
  select a.Policy_Amount_Identifier as amount_id, a.Policy_Amount as amount,
    d.Effective_Date as starts, d.Expiration_Date as ends, d.Policy_Coverage_Detail_Identifier as coverage_id,
    p.Policy_Identifier as policy_id, p.Policy_Number as policy_number
  from policy_amount a
  semi join premium m on m.Policy_Amount_Identifier = a.Policy_Amount_Identifier
  left join policy_coverage_detail d on d.Policy_Coverage_Detail_Identifier = a.Policy_Coverage_Detail_Identifier
    and d.Effective_Date = a.Effective_Date
  left join policy p on p.Policy_Identifier = d.Policy_Identifier
),
holder as (
  select distinct Agreement_Identifier as policy_id, Party_Identifier as party_id
  from agreement_party_role where Party_Role_Code = 'PH'
)
select paid.policy_number, holder.party_id as policy_holder_id, paid.amount as premium
from paid left join holder on holder.policy_id = paid.policy_id
